"""The configuration file as pydantic checks it: which keys there are, and of which type.

Every field has an example, which error messages show.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)

from paytui.config import values
from paytui.config.columns import COLUMNS

Text = Annotated[str, AfterValidator(values.one_line)]
Seconds = Annotated[float, BeforeValidator(values.seconds)]
Floor = Annotated[float, BeforeValidator(values.floor)]
BaseUrl = Annotated[str, AfterValidator(values.base_url)]
PairText = Annotated[str, AfterValidator(values.pair)]
CurrencyText = Annotated[str, AfterValidator(values.currency)]
Host = Annotated[str, AfterValidator(values.host)]
HookPath = Annotated[str, AfterValidator(values.hook_path)]
Amount = Annotated[Decimal, BeforeValidator(values.amount)]
Limits = dict[CurrencyText, Amount]
AlertText = Annotated[str, AfterValidator(values.rate_alert)]
DayStartText = Annotated[str, AfterValidator(values.day_start)]


class Table(BaseModel):
    """Any table of the file: nothing in it is unknown, nothing is guessed."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ProfileTable(Table):
    """`[profiles.NAME]`."""

    base_url: BaseUrl = Field(examples=['"https://api.example.com"'])
    client_id: Text = Field(examples=['"acme-desk"'])
    live: bool = Field(True, examples=["true"])
    read_only: bool = Field(False, examples=["false"])
    dialect: Text | None = Field(None, examples=['"acme.dialect.toml"'])
    secret_command: list[Text] = Field([], examples=['["pass", "show", "paytui/acme"]'])
    secret_file: Text | None = Field(None, examples=['"acme.secret"'])
    token_file: Text | None = Field(None, examples=['"/run/desk/paytui.token"'])
    payin_account_name: Text | None = Field(None, examples=['"Acme Client Funds"'])
    confirm_above: Limits = Field({}, examples=['{ AUD = "100000" }'])
    refuse_above: Limits = Field({}, examples=['{ AUD = "5000000" }'])
    description: Text | None = Field(None, examples=['"Production, Sydney desk"'])


class PollingTable(Table):
    """`[polling]`: seconds between two reads of a kind; None leaves the default."""

    floor: Floor | None = Field(None, examples=['"1s"'])
    wallets: Seconds | None = Field(None, examples=['"5s"'])
    payments: Seconds | None = Field(None, examples=['"5s"'])
    trades: Seconds | None = Field(None, examples=['"5s"'])
    payins: Seconds | None = Field(None, examples=['"10s"'])
    accounts: Seconds | None = Field(None, examples=['"60s"'])
    recipients: Seconds | None = Field(None, examples=['"60s"'])
    payin_addresses: Seconds | None = Field(None, examples=['"5m"'])
    payment_addresses: Seconds | None = Field(None, examples=['"5m"'])


class RatesTable(Table):
    """`[rates]`."""

    watch: list[PairText] | None = Field(None, examples=['["AUD/USD", "EUR/GBP"]'])
    desk_order: list[CurrencyText] | None = Field(None, examples=['["EUR", "GBP", "AUD"]'])


class OverviewTable(Table):
    """`[overview]`."""

    day_starts: DayStartText | None = Field(None, examples=['"07:00 Australia/Sydney"'])
    reporting_currency: CurrencyText | None = Field(None, examples=['"AUD"'])


class AlertsTable(Table):
    """`[alerts]`."""

    when: list[AlertText] = Field([], examples=['["AUD/USD bid above 0.66"]'])
    notify: Literal["bell", "osc9", "osc777", "off"] | None = Field(None, examples=['"bell"'])


class DisplayTable(Table):
    """`[display]`."""

    theme: Text | None = Field(None, examples=['"dark"'])
    time_zone: Literal["UTC", "local"] | None = Field(None, examples=['"UTC"'])
    heartbeat: bool | None = Field(None, examples=["true"])
    key_scheme: Literal["default", "vim"] | None = Field(None, examples=['"vim"'])


class OutboxTable(Table):
    """`[outbox]`."""

    folder: Text | None = Field(None, examples=['"/home/ann/.local/state/paytui"'])
    tag_reference: bool | None = Field(None, examples=["true"])
    audit_syslog: bool | None = Field(None, examples=["false"])


class CacheTable(Table):
    """`[cache]`: what is kept for the next start, and how much of it is in memory."""

    enabled: bool | None = Field(None, examples=["true"])
    retain: int | None = Field(None, ge=1_000, le=10_000_000, examples=["100000"])


class WebhooksTable(Table):
    """`[webhooks]`: where the service's events are listened for; None leaves the default."""

    enabled: bool | None = Field(None, examples=["false"])
    host: Host | None = Field(None, examples=['"127.0.0.1"'])
    port: int | None = Field(None, ge=1, le=65535, examples=["8787"])
    path: HookPath | None = Field(None, examples=['"/hooks/5f0c1e9a7b3d4862"'])
    secret_command: list[Text] = Field([], examples=['["pass", "show", "paytui/hooks"]'])
    secret_file: Text | None = Field(None, examples=['"hooks.secret"'])


class ColumnsTable(Table):
    """`[columns]`: what each list shows, in which order; None leaves the default."""

    accounts: list[Text] | None = Field(None, examples=['["account", "state"]'])
    wallets: list[Text] | None = Field(None, examples=['["wallet", "ccy", "available"]'])
    payins: list[Text] | None = Field(None, examples=['["created", "amount", "ccy", "sender"]'])
    payin_addresses: list[Text] | None = Field(None, examples=['["wallet", "bsb", "bic"]'])
    trades: list[Text] | None = Field(None, examples=['["created", "sold", "pair", "bought"]'])
    recipients: list[Text] | None = Field(None, examples=['["recipient", "state"]'])
    payments: list[Text] | None = Field(None, examples=['["created", "amount", "ccy", "to"]'])
    intents: list[Text] | None = Field(None, examples=['["stands", "what", "became"]'])

    @field_validator("*")
    @classmethod
    def _known(cls, named: list[str] | None, info: ValidationInfo) -> list[str] | None:
        if named is None:
            return None
        return values.columns(named, COLUMNS[str(info.field_name)])


class ViewTable(Table):
    """`[views.LIST.NAME]`: how a list is looked at; what is left out stays as the list has it."""

    filter: Text | None = Field(None, examples=['"status:compliance_review"'])
    sort: list[Text] | None = Field(None, examples=['["state", "-created"]'])
    columns: list[Text] | None = Field(None, examples=['["created", "amount", "state"]'])


Views = dict[Text, ViewTable]


class ViewsTable(Table):
    """`[views]`: of each list, the ways to look at it that have a name."""

    accounts: Views = Field({}, examples=['[views.accounts.new]\nfilter = "age<1d"'])
    wallets: Views = Field({}, examples=['[views.wallets.usd]\nfilter = "ccy:usd"'])
    payins: Views = Field({}, examples=['[views.payins.late]\nfilter = "age>1h"'])
    payin_addresses: Views = Field({}, examples=['[views.payin_addresses.swift]\nsort = ["bic"]'])
    trades: Views = Field({}, examples=['[views.trades.today]\nfilter = "age<1d"'])
    recipients: Views = Field({}, examples=['[views.recipients.au]\nfilter = "country:au"'])
    payments: Views = Field({}, examples=['[views.payments.held]\nfilter = "status:held"'])
    intents: Views = Field({}, examples=['[views.intents.open]\nfilter = "standing:doubt"'])

    @field_validator("*")
    @classmethod
    def _known(cls, views: Views, info: ValidationInfo) -> Views:
        known = COLUMNS[str(info.field_name)]
        for view in views.values():
            if view.columns is not None:
                values.columns(view.columns, known)
            if view.sort is not None:
                values.columns([name.removeprefix("-") for name in view.sort], known)
        return views


class TrackTable(Table):
    """`[track]`: identifiers to read one by one where the service has no list of their kind."""

    accounts: list[Text] = Field([], examples=['["ACCOUNT-ID"]'])
    wallets: list[Text] = Field([], examples=['["WALLET-ID"]'])
    payins: list[Text] = Field([], examples=['["PAYIN-ID"]'])
    trades: list[Text] = Field([], examples=['["TRADE-ID"]'])
    recipients: list[Text] = Field([], examples=['["RECIPIENT-ID"]'])
    payment_addresses: list[Text] = Field([], examples=['["ADDRESS-ID"]'])
    payments: list[Text] = Field([], examples=['["PAYMENT-ID"]'])


ProfileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]


class ConfigFile(Table):
    """The whole file."""

    default_profile: Text | None = Field(None, examples=['"acme"'])
    profiles: dict[ProfileName, ProfileTable] = Field(default={}, examples=["[profiles.acme]"])
    polling: PollingTable = Field(default=PollingTable(), examples=["[polling]"])
    rates: RatesTable = Field(default=RatesTable(), examples=["[rates]"])
    overview: OverviewTable = Field(default=OverviewTable(), examples=["[overview]"])
    floors: dict[Text, Amount] = Field(default={}, examples=['[floors]\nAUD = "10000"'])
    alerts: AlertsTable = Field(default=AlertsTable(), examples=["[alerts]"])
    display: DisplayTable = Field(default=DisplayTable(), examples=["[display]"])
    keys: dict[Text, object] = Field(default={}, examples=['[keys]\nlist.sort = "f6"'])
    outbox: OutboxTable = Field(default=OutboxTable(), examples=["[outbox]"])
    cache: CacheTable = Field(default=CacheTable(), examples=["[cache]"])
    webhooks: WebhooksTable = Field(default=WebhooksTable(), examples=["[webhooks]"])
    columns: ColumnsTable = Field(default=ColumnsTable(), examples=["[columns]"])
    views: ViewsTable = Field(default=ViewsTable(), examples=["[views]"])
    track: TrackTable = Field(default=TrackTable(), examples=["[track]"])
