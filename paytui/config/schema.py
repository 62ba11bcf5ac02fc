"""The configuration file: which keys there are, and of which type.

Every key has an example, which error messages show.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from paytui.config import values
from paytui.config.checks import After, Before, Within
from paytui.config.columns import COLUMNS
from paytui.config.table import Table, entry

Text = Annotated[str, After(values.one_line)]
Seconds = Annotated[float, Before(values.seconds)]
Floor = Annotated[float, Before(values.floor)]
BaseUrl = Annotated[str, After(values.base_url)]
PairText = Annotated[str, After(values.pair)]
CurrencyText = Annotated[str, After(values.currency)]
Host = Annotated[str, After(values.host)]
HookPath = Annotated[str, After(values.hook_path)]
Amount = Annotated[Decimal, Before(values.amount)]
Limits = dict[CurrencyText, Amount]
AlertText = Annotated[str, After(values.rate_alert)]
Port = Annotated[int, Within(1, 65_535)]
Retained = Annotated[int, Within(1_000, 10_000_000)]
PerMinute = Annotated[int, Within(60, 60_000)]
DayStartText = Annotated[str, After(values.day_start)]


class ProfileTable(Table):
    """`[profiles.NAME]`."""

    base_url: BaseUrl = entry(example='"https://api.example.com"')
    client_id: Text = entry(example='"acme-desk"')
    live: bool = entry(True, example="true")
    read_only: bool = entry(False, example="false")
    dialect: Text | None = entry(None, example='"acme.dialect.toml"')
    secret_command: list[Text] = entry([], example='["pass", "show", "paytui/acme"]')
    secret_file: Text | None = entry(None, example='"acme.secret"')
    token_file: Text | None = entry(None, example='"/run/desk/paytui.token"')
    payin_account_name: Text | None = entry(None, example='"Acme Client Funds"')
    confirm_above: Limits = entry({}, example='{ AUD = "100000" }')
    refuse_above: Limits = entry({}, example='{ AUD = "5000000" }')
    description: Text | None = entry(None, example='"Production, Sydney desk"')


class PollingTable(Table):
    """`[polling]`: seconds between two reads of a kind; None leaves the default."""

    floor: Floor | None = entry(None, example='"1s"')
    requests_per_minute: PerMinute | None = entry(None, example="1200")
    paused: bool | None = entry(None, example="false")
    wallets: Seconds | None = entry(None, example='"5s"')
    payments: Seconds | None = entry(None, example='"5s"')
    trades: Seconds | None = entry(None, example='"5s"')
    payins: Seconds | None = entry(None, example='"10s"')
    accounts: Seconds | None = entry(None, example='"60s"')
    recipients: Seconds | None = entry(None, example='"60s"')
    payin_addresses: Seconds | None = entry(None, example='"5m"')
    payment_addresses: Seconds | None = entry(None, example='"5m"')


class RatesTable(Table):
    """`[rates]`."""

    watch: list[PairText] | None = entry(None, example='["AUD/USD", "EUR/GBP"]')
    desk_order: list[CurrencyText] | None = entry(None, example='["EUR", "GBP", "AUD"]')


class OverviewTable(Table):
    """`[overview]`."""

    day_starts: DayStartText | None = entry(None, example='"07:00 Australia/Sydney"')
    reporting_currency: CurrencyText | None = entry(None, example='"AUD"')


class AlertsTable(Table):
    """`[alerts]`."""

    when: list[AlertText] = entry([], example='["AUD/USD bid above 0.66"]')
    notify: Literal["bell", "osc9", "osc777", "off"] | None = entry(None, example='"bell"')


class DisplayTable(Table):
    """`[display]`."""

    theme: Text | None = entry(None, example='"dark"')
    time_zone: Literal["UTC", "local"] | None = entry(None, example='"UTC"')
    heartbeat: bool | None = entry(None, example="true")
    key_scheme: Literal["default", "vim"] | None = entry(None, example='"vim"')


class OutboxTable(Table):
    """`[outbox]`."""

    folder: Text | None = entry(None, example='"/home/ann/.local/state/paytui"')
    tag_reference: bool | None = entry(None, example="true")
    audit_syslog: bool | None = entry(None, example="false")


class CacheTable(Table):
    """`[cache]`: what is kept for the next start, and how much of it is in memory."""

    enabled: bool | None = entry(None, example="true")
    retain: Retained | None = entry(None, example="100000")


class WebhooksTable(Table):
    """`[webhooks]`: where the service's events are listened for; None leaves the default."""

    enabled: bool | None = entry(None, example="false")
    host: Host | None = entry(None, example='"127.0.0.1"')
    port: Port | None = entry(None, example="8787")
    path: HookPath | None = entry(None, example='"/hooks/5f0c1e9a7b3d4862"')
    secret_command: list[Text] = entry([], example='["pass", "show", "paytui/hooks"]')
    secret_file: Text | None = entry(None, example='"hooks.secret"')


class ColumnsTable(Table):
    """`[columns]`: what each list shows, in which order; None leaves the default."""

    accounts: list[Text] | None = entry(None, example='["account", "state"]')
    wallets: list[Text] | None = entry(None, example='["wallet", "ccy", "available"]')
    payins: list[Text] | None = entry(None, example='["created", "amount", "ccy", "sender"]')
    payin_addresses: list[Text] | None = entry(None, example='["wallet", "bsb", "bic"]')
    trades: list[Text] | None = entry(None, example='["created", "sold", "pair", "bought"]')
    recipients: list[Text] | None = entry(None, example='["recipient", "state"]')
    payments: list[Text] | None = entry(None, example='["created", "amount", "ccy", "to"]')
    intents: list[Text] | None = entry(None, example='["stands", "what", "became"]')

    @classmethod
    def judge(cls, name: str, value: list[str]) -> list[str]:
        """Ids of columns of the list of this name."""
        return values.columns(value, COLUMNS[name])


class ViewTable(Table):
    """`[views.LIST.NAME]`: how a list is looked at; what is left out stays as the list has it."""

    filter: Text | None = entry(None, example='"status:compliance_review"')
    sort: list[Text] | None = entry(None, example='["state", "-created"]')
    columns: list[Text] | None = entry(None, example='["created", "amount", "state"]')


Views = dict[Text, ViewTable]


class ViewsTable(Table):
    """`[views]`: of each list, the ways to look at it that have a name."""

    accounts: Views = entry({}, example='[views.accounts.new]\nfilter = "age<1d"')
    wallets: Views = entry({}, example='[views.wallets.usd]\nfilter = "ccy:usd"')
    payins: Views = entry({}, example='[views.payins.late]\nfilter = "age>1h"')
    payin_addresses: Views = entry({}, example='[views.payin_addresses.swift]\nsort = ["bic"]')
    trades: Views = entry({}, example='[views.trades.today]\nfilter = "age<1d"')
    recipients: Views = entry({}, example='[views.recipients.au]\nfilter = "country:au"')
    payments: Views = entry({}, example='[views.payments.held]\nfilter = "status:held"')
    intents: Views = entry({}, example='[views.intents.open]\nfilter = "standing:doubt"')

    @classmethod
    def judge(cls, name: str, value: Views) -> Views:
        """Views that name columns of the list of this name."""
        known = COLUMNS[name]
        for view in value.values():
            if view.columns is not None:
                values.columns(view.columns, known)
            if view.sort is not None:
                values.columns([name.removeprefix("-") for name in view.sort], known)
        return value


class TrackTable(Table):
    """`[track]`: identifiers to read one by one where the service has no list of their kind."""

    accounts: list[Text] = entry([], example='["ACCOUNT-ID"]')
    wallets: list[Text] = entry([], example='["WALLET-ID"]')
    payins: list[Text] = entry([], example='["PAYIN-ID"]')
    trades: list[Text] = entry([], example='["TRADE-ID"]')
    recipients: list[Text] = entry([], example='["RECIPIENT-ID"]')
    payment_addresses: list[Text] = entry([], example='["ADDRESS-ID"]')
    payments: list[Text] = entry([], example='["PAYMENT-ID"]')


ProfileName = Annotated[str, After(values.profile_name)]


class ConfigFile(Table):
    """The whole file."""

    default_profile: Text | None = entry(None, example='"acme"')
    profiles: dict[ProfileName, ProfileTable] = entry({}, example="[profiles.acme]")
    polling: PollingTable = entry(PollingTable(), example="[polling]")
    rates: RatesTable = entry(RatesTable(), example="[rates]")
    overview: OverviewTable = entry(OverviewTable(), example="[overview]")
    floors: dict[Text, Amount] = entry({}, example='[floors]\nAUD = "10000"')
    alerts: AlertsTable = entry(AlertsTable(), example="[alerts]")
    display: DisplayTable = entry(DisplayTable(), example="[display]")
    keys: dict[Text, object] = entry({}, example='[keys]\nlist.sort = "f6"')
    outbox: OutboxTable = entry(OutboxTable(), example="[outbox]")
    cache: CacheTable = entry(CacheTable(), example="[cache]")
    webhooks: WebhooksTable = entry(WebhooksTable(), example="[webhooks]")
    columns: ColumnsTable = entry(ColumnsTable(), example="[columns]")
    views: ViewsTable = entry(ViewsTable(), example="[views]")
    track: TrackTable = entry(TrackTable(), example="[track]")
