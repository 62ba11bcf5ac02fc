"""The schema of the configuration file: its keys and their types.

Tables are plain dataclasses that pydantic validates. This module does not import pydantic, which
takes longer than everything else before the first paint; a cached validation does not need it.
Every key has an example, which error messages show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from paytui.config import values
from paytui.config.values import COLUMNS

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, ValidationInfo
    from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class BeforeValidation:
    """A validator of raw values, before their type is checked; may raise `InvalidValue`."""

    make: Callable[[object], object]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(self.make, handler(source))


@dataclass(frozen=True, slots=True)
class AfterValidation:
    """A validator of values of the right type, which it may replace; may raise `InvalidValue`."""

    check: Callable[[Any], object]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(self.check, handler(source))


@dataclass(frozen=True, slots=True)
class AfterValidationByName:
    """An `AfterValidation` whose function also takes the name of the entry, first."""

    check: Callable[[str, Any], object]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        def checked(value: object, info: ValidationInfo) -> object:
            return self.check(str(info.field_name), value)

        return core_schema.with_info_after_validator_function(checked, handler(source))


def entry(default: Any = MISSING, *, example: str) -> Any:  # noqa: ANN401 - stands for any type
    """Declare a key: its default, and an example in TOML. Without a default it is required."""
    shown = {"example": example}
    if isinstance(default, list | dict):
        return field(default_factory=default.copy, metadata=shown)
    return field(default=default, metadata=shown)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the configuration; only keys declared by `entry` are valid in it."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    @classmethod
    def examples(cls) -> Mapping[str, str]:
        """Return the examples of its keys, by name."""
        return {each.name: each.metadata["example"] for each in fields(cls)}

    @classmethod
    def names(cls) -> Sequence[str]:
        """Return the names of its keys."""
        return [each.name for each in fields(cls)]

    def said(self, *left_out: str) -> dict[str, Any]:
        """Return the values that differ from None, without some names."""
        given = ((name, getattr(self, name)) for name in self.names() if name not in left_out)
        return {name: value for name, value in given if value is not None}


Text = Annotated[str, AfterValidation(values.one_line)]
Switch = Annotated[bool, BeforeValidation(values.switch)]
OnOff = Annotated[bool, BeforeValidation(values.on_off)]
Seconds = Annotated[float, BeforeValidation(values.seconds)]
Floor = Annotated[float, BeforeValidation(values.floor)]
BaseUrl = Annotated[str, AfterValidation(values.base_url)]
PairText = Annotated[str, AfterValidation(values.pair)]
CurrencyText = Annotated[str, AfterValidation(values.currency)]
Host = Annotated[str, AfterValidation(values.host)]
HookPath = Annotated[str, AfterValidation(values.hook_path)]
TintText = Annotated[str, AfterValidation(values.tint)]
Amount = Annotated[Decimal, BeforeValidation(values.amount)]
Limits = dict[CurrencyText, Amount]
Idle = Annotated[float, BeforeValidation(values.idle)]
AlertText = Annotated[str, AfterValidation(values.rate_alert)]
Port = Annotated[int, BeforeValidation(partial(values.whole, 1, 65_535))]
Retained = Annotated[int, BeforeValidation(partial(values.whole, 1_000, 10_000_000))]
PerMinute = Annotated[int, BeforeValidation(partial(values.whole, 60, 60_000))]
KeyringEntry = Annotated[str, AfterValidation(values.keyring_entry)]
Fingerprint = Annotated[str, AfterValidation(values.fingerprint)]
Proxy = Annotated[str, AfterValidation(values.proxy)]
DayStartText = Annotated[str, AfterValidation(values.day_start)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipientTable(Table):
    """`[profiles.NAME.recipients.ID]`: additional limits of one recipient."""

    confirm_above: Limits = entry({}, example='{ AUD = "1000" }')
    refuse_above: Limits = entry({}, example='{ AUD = "50000" }')


RecipientTables = dict[Text, RecipientTable]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileTable(Table):
    """`[profiles.NAME]`."""

    base_url: BaseUrl = entry(example='"https://api.example.com"')
    client_id: Text = entry(example='"acme-desk"')
    live: Switch = entry(True, example="true")
    read_only: Switch = entry(False, example="false")
    dialect: Text | None = entry(None, example='"acme.dialect.toml"')
    secret_command: list[Text] = entry([], example='["pass", "show", "paytui/acme"]')
    secret_file: Text | None = entry(None, example='"acme.secret"')
    secret_keyring: KeyringEntry | None = entry(None, example='"paytui/acme"')
    ca_file: Text | None = entry(None, example='"acme-ca.pem"')
    client_cert_file: Text | None = entry(None, example='"desk.pem"')
    client_key_file: Text | None = entry(None, example='"desk.key"')
    certificate_sha256: list[Fingerprint] = entry([], example=f'["{"a1" * 32}"]')
    proxy: Proxy | None = entry(None, example='"http://proxy.example:3128"')
    token_file: Text | None = entry(None, example='"/run/desk/paytui.token"')
    payin_account_name: Text | None = entry(None, example='"Acme Client Funds"')
    confirm_above: Limits = entry({}, example='{ AUD = "100000" }')
    refuse_above: Limits = entry({}, example='{ AUD = "5000000" }')
    recipients: RecipientTables = entry({}, example="[profiles.acme.recipients.RECIPIENT-ID]")
    description: Text | None = entry(None, example='"Production, Sydney desk"')
    tint: TintText | None = entry(None, example='"#802020"')


@dataclass(frozen=True, slots=True, kw_only=True)
class PollingTable(Table):
    """`[polling]`: seconds between two reads of a kind; None leaves the default."""

    floor: Floor | None = entry(None, example='"1s"')
    requests_per_minute: PerMinute | None = entry(None, example="1200")
    paused: Switch | None = entry(None, example="false")
    wallets: Seconds | None = entry(None, example='"5s"')
    payments: Seconds | None = entry(None, example='"5s"')
    trades: Seconds | None = entry(None, example='"5s"')
    payins: Seconds | None = entry(None, example='"10s"')
    accounts: Seconds | None = entry(None, example='"60s"')
    recipients: Seconds | None = entry(None, example='"60s"')
    payin_addresses: Seconds | None = entry(None, example='"5m"')
    payment_addresses: Seconds | None = entry(None, example='"5m"')


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesTable(Table):
    """`[rates]`."""

    watch: list[PairText] | None = entry(None, example='["AUD/USD", "EUR/GBP"]')
    desk_order: list[CurrencyText] | None = entry(None, example='["EUR", "GBP", "AUD"]')


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewTable(Table):
    """`[overview]`."""

    day_starts: DayStartText | None = entry(None, example='"07:00 Australia/Sydney"')
    reporting_currency: CurrencyText | None = entry(None, example='"AUD"')


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertsTable(Table):
    """`[alerts]`."""

    when: list[AlertText] = entry([], example='["AUD/USD bid above 0.66"]')
    notify: Literal["bell", "osc9", "osc777", "off"] | None = entry(None, example='"bell"')


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayTable(Table):
    """`[display]`."""

    theme: Text | None = entry(None, example='"dark"')
    time_zone: Literal["UTC", "local"] | None = entry(None, example='"UTC"')
    heartbeat: OnOff | None = entry(None, example="true")
    key_scheme: Literal["default", "vim"] | None = entry(None, example='"vim"')
    mouse: Literal["auto", "on", "off"] | None = entry(None, example='"auto"')
    colours: Literal["auto", "truecolor", "256", "16", "none"] | None = entry(None, example='"256"')
    characters: Literal["auto", "utf-8", "ascii"] | None = entry(None, example='"ascii"')


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxTable(Table):
    """`[outbox]`."""

    folder: Text | None = entry(None, example='"/home/ann/.local/state/paytui"')
    tag_reference: Switch | None = entry(None, example="true")
    audit_syslog: Switch | None = entry(None, example="false")


@dataclass(frozen=True, slots=True, kw_only=True)
class LockTable(Table):
    """`[lock]`: the idle time after which nothing is created, and an extra unlock command."""

    after: Idle | None = entry(None, example='"10m"')
    unlock_command: list[Text] = entry([], example='["fprintd-verify"]')


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheTable(Table):
    """`[cache]`: the cache for the next start, and the number of rows in memory."""

    enabled: Switch | None = entry(None, example="true")
    retain: Retained | None = entry(None, example="100000")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhooksTable(Table):
    """`[webhooks]`: the listener for the service's events; None leaves the default."""

    enabled: Switch | None = entry(None, example="false")
    host: Host | None = entry(None, example='"127.0.0.1"')
    port: Port | None = entry(None, example="8787")
    path: HookPath | None = entry(None, example='"/hooks/5f0c1e9a7b3d4862"')
    secret_command: list[Text] = entry([], example='["pass", "show", "paytui/hooks"]')
    secret_file: Text | None = entry(None, example='"hooks.secret"')


def _columns(name: str, value: list[str]) -> list[str]:
    return values.columns(value, COLUMNS[name])


Columns = Annotated[list[Text], AfterValidationByName(_columns)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsTable(Table):
    """`[columns]`: the columns of each list, in order; None leaves the default."""

    accounts: Columns | None = entry(None, example='["account", "state"]')
    wallets: Columns | None = entry(None, example='["wallet", "ccy", "available"]')
    payins: Columns | None = entry(None, example='["created", "amount", "ccy", "sender"]')
    payin_addresses: Columns | None = entry(None, example='["wallet", "bsb", "bic"]')
    trades: Columns | None = entry(None, example='["created", "sold", "pair", "bought"]')
    recipients: Columns | None = entry(None, example='["recipient", "state"]')
    payments: Columns | None = entry(None, example='["created", "amount", "ccy", "to"]')
    intents: Columns | None = entry(None, example='["stands", "what", "became"]')


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewTable(Table):
    """`[views.LIST.NAME]`: a view of a list; None keeps the list's own."""

    filter: Text | None = entry(None, example='"status:compliance_review"')
    sort: list[Text] | None = entry(None, example='["state", "-created"]')
    columns: list[Text] | None = entry(None, example='["created", "amount", "state"]')


def _views(name: str, value: dict[str, ViewTable]) -> dict[str, ViewTable]:
    """Check that views name columns of their list."""
    known = COLUMNS[name]
    for view in value.values():
        if view.columns is not None:
            values.columns(view.columns, known)
        if view.sort is not None:
            values.columns([name.removeprefix("-") for name in view.sort], known)
    return value


Views = Annotated[dict[Text, ViewTable], AfterValidationByName(_views)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewsTable(Table):
    """`[views]`: the named views of each list."""

    accounts: Views = entry({}, example='[views.accounts.new]\nfilter = "age<1d"')
    wallets: Views = entry({}, example='[views.wallets.usd]\nfilter = "ccy:usd"')
    payins: Views = entry({}, example='[views.payins.late]\nfilter = "age>1h"')
    payin_addresses: Views = entry({}, example='[views.payin_addresses.swift]\nsort = ["bic"]')
    trades: Views = entry({}, example='[views.trades.today]\nfilter = "age<1d"')
    recipients: Views = entry({}, example='[views.recipients.au]\nfilter = "country:au"')
    payments: Views = entry({}, example='[views.payments.held]\nfilter = "status:held"')
    intents: Views = entry({}, example='[views.intents.open]\nfilter = "standing:doubt"')


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackTable(Table):
    """`[track]`: identifiers to read one by one if the service cannot list their kind."""

    accounts: list[Text] = entry([], example='["ACCOUNT-ID"]')
    wallets: list[Text] = entry([], example='["WALLET-ID"]')
    payins: list[Text] = entry([], example='["PAYIN-ID"]')
    trades: list[Text] = entry([], example='["TRADE-ID"]')
    recipients: list[Text] = entry([], example='["RECIPIENT-ID"]')
    payment_addresses: list[Text] = entry([], example='["ADDRESS-ID"]')
    payments: list[Text] = entry([], example='["PAYMENT-ID"]')


ProfileName = Annotated[str, AfterValidation(values.profile_name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile(Table):
    """The whole configuration file."""

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
    lock: LockTable = entry(LockTable(), example="[lock]")
    cache: CacheTable = entry(CacheTable(), example="[cache]")
    webhooks: WebhooksTable = entry(WebhooksTable(), example="[webhooks]")
    columns: ColumnsTable = entry(ColumnsTable(), example="[columns]")
    views: ViewsTable = entry(ViewsTable(), example="[views]")
    track: TrackTable = entry(TrackTable(), example="[track]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorLimits(RecipientTable):
    """`[limits]` of an operator's file."""

    recipients: RecipientTables = entry({}, example="[limits.recipients.RECIPIENT-ID]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorFile(Table):
    """The whole operator's file, which applies to every user of this machine."""

    read_only: Switch = entry(False, example="true")
    audit_syslog: Switch = entry(False, example="true")
    base_urls: list[BaseUrl] | None = entry(None, example='["https://api.example.com"]')
    limits: OperatorLimits = entry(OperatorLimits(), example="[limits]")
    lock: LockTable = entry(LockTable(), example="[lock]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedProfile(Table):
    """The settings of a profile that can be changed on screen."""

    confirm_above: Limits = entry({}, example="")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFile(Table):
    """The saved settings; they cannot change the service or the client id."""

    display: DisplayTable = entry(DisplayTable(), example="")
    polling: PollingTable = entry(PollingTable(), example="")
    profiles: dict[ProfileName, SavedProfile] = entry({}, example="")
    views: ViewsTable = entry(ViewsTable(), example="")
