"""All settings, each declared once: its type and validation, its default and an example.

A class for a table of a file derives from `Table`; `Settings` holds them for the rest of paytui,
with paths resolved and the operator's restrictions applied (`load.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from paytui.config import value_parsers
from paytui.config.key_bindings import Keymap, keymap
from paytui.config.validation import Parsed, Table, entry
from paytui.domain.models import Kind, Problem, Record
from paytui.domain.money import DESK_ORDER, CurrencyCode, Pair
from paytui.domain.rates import DayStart, RateAlert, parse_alert, parse_day_start
from paytui.platform.clock import Zone

Text = Annotated[str, Parsed(value_parsers.one_line)]
Label = Annotated[str, Parsed(value_parsers.label)]
Command = tuple[Text, ...]
File = Annotated[Path, Parsed(value_parsers.file)]
Switch = Annotated[bool, Parsed(value_parsers.switch, of=object)]
OnOff = Annotated[bool, Parsed(value_parsers.on_off, of=object)]
Interval = Annotated[timedelta, Parsed(value_parsers.duration, of=object)]
Floor = Annotated[timedelta, Parsed(partial(value_parsers.at_least, 1, 'floor = "1s"'), of=object)]
Idle = Annotated[timedelta, Parsed(partial(value_parsers.at_least, 10, 'after = "10m"'), of=object)]
Port = Annotated[int, Parsed(partial(value_parsers.whole, 1, 65_535), of=object)]
Retained = Annotated[int, Parsed(partial(value_parsers.whole, 1_000, 10_000_000), of=object)]
PerMinute = Annotated[int, Parsed(partial(value_parsers.whole, 60, 60_000), of=object)]
Amount = Annotated[Decimal, Parsed(value_parsers.amount, of=object)]
Currency = Annotated[CurrencyCode, Parsed(value_parsers.currency)]
Limits = Mapping[Currency, Amount]
Floors = Mapping[Text, Amount]
"""The least balance of a wallet, by currency or by wallet id, which takes precedence."""

PairText = Annotated[Pair, Parsed(value_parsers.pair)]
Pairs = Annotated[tuple[Pair, ...], Parsed(value_parsers.each_once, of=tuple[PairText, ...])]
AlertText = Annotated[RateAlert, Parsed(parse_alert)]
RateAlerts = Annotated[
    tuple[RateAlert, ...], Parsed(value_parsers.each_once, of=tuple[AlertText, ...])
]
Day = Annotated[DayStart, Parsed(parse_day_start)]
BaseUrl = Annotated[str, Parsed(value_parsers.base_url)]
Proxy = Annotated[str, Parsed(value_parsers.proxy)]
Fingerprint = Annotated[str, Parsed(value_parsers.fingerprint)]
KeyringEntry = Annotated[tuple[str, str], Parsed(value_parsers.keyring_entry)]
Tint = Annotated[str, Parsed(value_parsers.tint)]
Host = Annotated[str, Parsed(value_parsers.host)]
HookPath = Annotated[str, Parsed(value_parsers.hook_path)]
ProfileName = Annotated[str, Parsed(value_parsers.profile_name)]
Identifiers = Annotated[tuple[str, ...], Parsed(value_parsers.each_once, of=tuple[Text, ...])]
ColumnIds = Annotated[
    tuple[str, ...], Parsed(value_parsers.columns, of=tuple[Text, ...], by_name=True)
]
SortOrder = Annotated[
    tuple[tuple[str, bool], ...], Parsed(value_parsers.sort_order, of=tuple[Text, ...])
]

TimeZone = Literal["UTC", "local"]
KeyScheme = Literal["default", "vim"]
Colours = Literal["auto", "truecolor", "256", "16", "none"]
Characters = Literal["auto", "utf-8", "ascii"]
Notify = Literal["bell", "osc9", "osc777", "off"]
Mouse = Literal["auto", "on", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountLimits(Table):
    """`[profiles.NAME.recipients.ID]`: additional limits of one recipient, by currency.

    Amounts above `confirm_above` are typed, above `refuse_above` refused.
    """

    confirm_above: Limits = entry({}, '{ AUD = "1000" }')
    refuse_above: Limits = entry({}, '{ AUD = "50000" }')


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileTable(Table):
    """`[profiles.NAME]`: a service and our client id there.

    Attributes:
        base_url: without a trailing slash; https, or http to this machine alone.
        live: True if real money moves: shown in words and colour on every screen.
        read_only: True to offer nothing that moves money.
        dialect: the file that corrects our assumptions about the wire (service.md).
        secret_command: argv whose first line of output is the client secret; empty: none.
        secret_keyring: the keyring entry that holds it: a service and a user name.
        ca_file: the only trusted certificate authorities; None: those that browsers trust.
        client_cert_file: our client certificate, if the service requires one.
        client_key_file: its key; None: it is in the same file.
        certificate_sha256: fingerprints, in hexadecimal, one of which the service's certificate
            must have; empty: any trusted certificate.
        proxy: the proxy for every request; None: a direct connection, whatever the environment
            says.
        token_file: the file through which processes share the token; None: one in the user's
            runtime folder.
        payin_account_name: the account name to use when sending funds (service.md §2).
        confirm_above: on a live profile, the trader types a larger amount before it is sent; an
            amount in a currency without a limit is always typed.
        refuse_above: a larger amount is not sent at all; of a trade, either side.
        recipients: additional limits of some recipients, by identifier.
        tint: the colour of the bar on every screen: `#rrggbb`, or a colour role of the theme;
            None: that of the theme.
    """

    base_url: BaseUrl = field(metadata={"example": '"https://api.example.com"'})
    client_id: Text = field(metadata={"example": '"acme-desk"'})
    live: Switch = entry(True, "true")
    read_only: Switch = entry(False, "false")
    dialect: File | None = entry(None, '"acme.dialect.toml"')
    secret_command: Command = entry((), '["pass", "show", "paytui/acme"]')
    secret_file: File | None = entry(None, '"acme.secret"')
    secret_keyring: KeyringEntry | None = entry(None, '"paytui/acme"')
    ca_file: File | None = entry(None, '"acme-ca.pem"')
    client_cert_file: File | None = entry(None, '"desk.pem"')
    client_key_file: File | None = entry(None, '"desk.key"')
    certificate_sha256: tuple[Fingerprint, ...] = entry((), f'["{"a1" * 32}"]')
    proxy: Proxy | None = entry(None, '"http://proxy.example:3128"')
    token_file: File | None = entry(None, '"/run/desk/paytui.token"')
    payin_account_name: Label | None = entry(None, '"Acme Client Funds"')
    confirm_above: Limits = entry({}, '{ AUD = "100000" }')
    refuse_above: Limits = entry({}, '{ AUD = "5000000" }')
    recipients: Mapping[Text, AmountLimits] = entry({}, "[profiles.acme.recipients.RECIPIENT-ID]")
    description: Label | None = entry(None, '"Production, Sydney desk"')
    tint: Tint | None = entry(None, '"#802020"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(ProfileTable):
    """A profile in use.

    Attributes:
        file: its configuration file; None without one.
        accepts_new_host: True if the user accepts the service's current address and certificate,
            for this start.
        always_typed_above: the operator's `confirm_above`, which applies to every profile; for a
            currency without a limit, `confirm_above` decides.
    """

    name: str
    accepts_new_host: bool = False
    always_typed_above: Limits = field(default_factory=dict)
    file: Path | None = None

    def entry(self, key: str) -> str:
        """Return the location of an entry: `/home/x/config.toml: profiles.acme.dialect`."""
        place = f"profiles.{self.name}.{key}"
        return place if self.file is None else f"{self.file}: {place}"

    @property
    def host(self) -> str:
        """Return the service's host, and its port if the URL has one."""
        return urlsplit(self.base_url).netloc


@dataclass(frozen=True, slots=True, kw_only=True)
class Polling(Table):
    """`[polling]`: the interval of each kind; of loaded settings none is under `floor`.

    Attributes:
        requests_per_minute: the most reads; requests that move money never wait.
        paused: True to read only on request after the first read.
    """

    floor: Floor = entry(timedelta(seconds=1), '"1s"')
    requests_per_minute: PerMinute = entry(1_200, "1200")
    paused: Switch = entry(False, "false")
    wallets: Interval = entry(timedelta(seconds=5), '"5s"')
    payments: Interval = entry(timedelta(seconds=5), '"5s"')
    trades: Interval = entry(timedelta(seconds=5), '"5s"')
    payins: Interval = entry(timedelta(seconds=10), '"10s"')
    accounts: Interval = entry(timedelta(seconds=60), '"60s"')
    recipients: Interval = entry(timedelta(seconds=60), '"60s"')
    payin_addresses: Interval = entry(timedelta(minutes=5), '"5m"')
    payment_addresses: Interval = entry(timedelta(minutes=5), '"5m"')

    @property
    def intervals(self) -> Mapping[Kind, timedelta]:
        """Return the intervals by kind."""
        return {Kind(name): getattr(self, name) for name in self.names()[3:]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates(Table):
    """`[rates]`.

    Attributes:
        watch: the pairs to price, in the service's direction.
        desk_order: of two currencies the earlier is the base; see `Pair.market`.
    """

    watch: Pairs = entry(
        tuple(
            map(
                value_parsers.pair,
                ("AUD/USD", "USD/AUD", "EUR/AUD", "AUD/EUR", "GBP/AUD", "AUD/JPY"),
            )
        ),
        '["AUD/USD", "EUR/GBP"]',
    )
    desk_order: tuple[Currency, ...] = entry(DESK_ORDER, '["EUR", "GBP", "AUD"]')


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewSettings(Table):
    """`[overview]`: the settings for the figures of the Overview.

    Attributes:
        reporting_currency: the currency of totals; None: no totals.
    """

    day_starts: Day = entry(DayStart(), '"07:00 Australia/Sydney"')
    reporting_currency: Currency | None = entry(None, '"AUD"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts(Table):
    """`[alerts]`: rate alerts, and the notification that goes with the message on screen."""

    when: RateAlerts = entry((), '["AUD/USD bid above 0.66"]')
    notify: Notify = entry("off", '"bell"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Display(Table):
    """`[display]`: the display settings.

    Attributes:
        theme: the name of a file in `themes/`, shipped or beside the configuration.
        heartbeat: True to show a ticking clock, which reveals a hung link.
        key_scheme: the keys where the user set no others.
        mouse: mouse capture; auto: off over SSH and in tmux or screen, where selecting text
            matters more.
        colours: the colour depth; auto: detected from the terminal.
        characters: the character set of lines and symbols; auto: ASCII if the locale is not UTF-8.
    """

    theme: Text = entry("dark", '"dark"')
    time_zone: TimeZone = entry("UTC", '"UTC"')
    heartbeat: OnOff = entry(True, "true")
    key_scheme: KeyScheme = entry("default", '"vim"')
    mouse: Mouse = entry("auto", '"auto"')
    colours: Colours = entry("auto", '"256"')
    characters: Characters = entry("auto", '"ascii"')

    @property
    def zone(self) -> Zone:
        """Return the initial time zone of displayed times."""
        return UTC if self.time_zone == "UTC" else None

    def has_mouse(self, *, direct: bool) -> bool:
        """Return True if the mouse is captured on a direct or indirect terminal."""
        return direct if self.mouse == "auto" else self.mouse == "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxSettings(Table):
    """`[outbox]`.

    Attributes:
        folder: its folder; None: in the user's state directory.
        tag_reference: True to add the intent's id to the sent reference, by which a look-up
            identifies the object.
        audit_syslog: True to copy each entry to the system's log.
    """

    folder: File | None = entry(None, '"/home/ann/.local/state/paytui"')
    tag_reference: Switch = entry(True, "true")
    audit_syslog: Switch = entry(False, "false")


@dataclass(frozen=True, slots=True)
class UnlockCommand:
    """A program that has to exit with 0 before the lock opens.

    Attributes:
        is_operators: True if the operator set it; it then runs without the user's environment.
    """

    argv: tuple[str, ...]
    is_operators: bool = False


def _unlock_commands(argv: tuple[str, ...]) -> tuple[UnlockCommand, ...]:
    return (UnlockCommand(argv),) if argv else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSettings(Table):
    """`[lock]`: the idle lock, after which nothing is created until the trader unlocks.

    Attributes:
        after: the time without a key press; None: never.
        unlock_command: programs that have to succeed, in addition to the typed code.
    """

    after: Idle | None = entry(None, '"10m"')
    unlock_command: Annotated[tuple[UnlockCommand, ...], Parsed(_unlock_commands, of=Command)] = (
        entry((), '["fprintd-verify"]')
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheSettings(Table):
    """`[cache]`: the settings for data kept on disk and in memory.

    Attributes:
        enabled: True to keep the last known state in the user's cache folder.
        retain: the number of newest rows of each growing list in memory, besides all open rows.
    """

    enabled: Switch = entry(True, "true")
    retain: Retained = entry(100_000, "100000")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings(Table):
    """`[webhooks]`: the settings for the listener for the service's events.

    Attributes:
        host: an IP address of this machine; other than loopback only if events are signed.
        path: the secret path that the service posts to; None only if `enabled` is False.
        secret_command: argv whose first line of output is the signing secret; empty: none.
    """

    enabled: Switch = entry(False, "false")
    host: Host = entry("127.0.0.1", '"127.0.0.1"')
    port: Port = entry(8787, "8787")
    path: HookPath | None = entry(None, '"/hooks/5f0c1e9a7b3d4862"')
    secret_command: Command = entry((), '["pass", "show", "paytui/hooks"]')
    secret_file: File | None = entry(None, '"hooks.secret"')


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsTable(Table):
    """`[columns]`: the columns of each list, in order; None leaves the default."""

    accounts: ColumnIds | None = entry(None, '["account", "state"]')
    wallets: ColumnIds | None = entry(None, '["wallet", "ccy", "available"]')
    payins: ColumnIds | None = entry(None, '["created", "amount", "ccy", "sender"]')
    payin_addresses: ColumnIds | None = entry(None, '["wallet", "bsb", "bic"]')
    trades: ColumnIds | None = entry(None, '["created", "sold", "pair", "bought"]')
    recipients: ColumnIds | None = entry(None, '["recipient", "state"]')
    payments: ColumnIds | None = entry(None, '["created", "amount", "ccy", "to"]')
    intents: ColumnIds | None = entry(None, '["stands", "what", "became"]')


@dataclass(frozen=True, slots=True, kw_only=True)
class View(Table):
    """`[views.LIST.NAME]`: a view of a list; None keeps the list's own.

    Attributes:
        filter: a filter expression.
        sort: column ids with True for descending, the most significant first.
    """

    filter: Text | None = entry(None, '"status:compliance_review"')
    sort: SortOrder | None = entry(None, '["state", "-created"]')
    columns: Command | None = entry(None, '["created", "amount", "state"]')


def _checked_views(of_list: str, views: dict[str, View]) -> dict[str, View]:
    """Check that views name columns of their list."""
    for view in views.values():
        if view.columns is not None:
            value_parsers.columns(of_list, view.columns)
        if view.sort is not None:
            value_parsers.columns(of_list, [name for name, _ in view.sort])
    return views


Views = Annotated[Mapping[str, View], Parsed(_checked_views, of=dict[Label, View], by_name=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewsTable(Table):
    """`[views]`: the named views of each list."""

    accounts: Views = entry({}, '[views.accounts.new]\nfilter = "age<1d"')
    wallets: Views = entry({}, '[views.wallets.usd]\nfilter = "ccy:usd"')
    payins: Views = entry({}, '[views.payins.late]\nfilter = "age>1h"')
    payin_addresses: Views = entry({}, '[views.payin_addresses.swift]\nsort = ["bic"]')
    trades: Views = entry({}, '[views.trades.today]\nfilter = "age<1d"')
    recipients: Views = entry({}, '[views.recipients.au]\nfilter = "country:au"')
    payments: Views = entry({}, '[views.payments.held]\nfilter = "status:held"')
    intents: Views = entry({}, '[views.intents.open]\nfilter = "standing:doubt"')


Tracked = Mapping[Kind, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackTable(Table):
    """`[track]`: identifiers to read one by one if the service cannot list their kind."""

    accounts: Identifiers = entry((), '["ACCOUNT-ID"]')
    wallets: Identifiers = entry((), '["WALLET-ID"]')
    payins: Identifiers = entry((), '["PAYIN-ID"]')
    trades: Identifiers = entry((), '["TRADE-ID"]')
    recipients: Identifiers = entry((), '["RECIPIENT-ID"]')
    payment_addresses: Identifiers = entry((), '["ADDRESS-ID"]')
    payments: Identifiers = entry((), '["PAYMENT-ID"]')

    @property
    def identifiers(self) -> Tracked:
        """Return the identifiers by kind."""
        return {Kind(name): identifiers for name, identifiers in self.entries().items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile(Table):
    """The whole configuration file."""

    default_profile: Text | None = entry(None, '"acme"')
    profiles: Mapping[ProfileName, ProfileTable] = entry({}, "[profiles.acme]")
    polling: Polling = entry(Polling(), "[polling]")
    rates: Rates = entry(Rates(), "[rates]")
    overview: OverviewSettings = entry(OverviewSettings(), "[overview]")
    floors: Floors = entry({}, '[floors]\nAUD = "10000"')
    alerts: Alerts = entry(Alerts(), "[alerts]")
    display: Display = entry(Display(), "[display]")
    keys: Mapping[Text, object] = entry({}, '[keys]\nlist.sort = "f6"')
    outbox: OutboxSettings = entry(OutboxSettings(), "[outbox]")
    lock: LockSettings = entry(LockSettings(), "[lock]")
    cache: CacheSettings = entry(CacheSettings(), "[cache]")
    webhooks: WebhookSettings = entry(WebhookSettings(), "[webhooks]")
    columns: ColumnsTable = entry(ColumnsTable(), "[columns]")
    views: ViewsTable = entry(ViewsTable(), "[views]")
    track: TrackTable = entry(TrackTable(), "[track]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorLimits(AmountLimits):
    """`[limits]` of an operator's file."""

    recipients: Mapping[Text, AmountLimits] = entry({}, "[limits.recipients.RECIPIENT-ID]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorFile(Table):
    """The whole operator's file, which applies to every user of this machine."""

    read_only: Switch = entry(False, "true")
    audit_syslog: Switch = entry(False, "true")
    base_urls: tuple[BaseUrl, ...] | None = entry(None, '["https://api.example.com"]')
    limits: OperatorLimits = entry(OperatorLimits(), "[limits]")
    lock: LockSettings = entry(LockSettings(), "[lock]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedProfile(Table):
    """The settings of a profile that can be changed on screen."""

    confirm_above: Limits = entry({}, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFile(Table):
    """The saved settings; they cannot change the service or the client id."""

    display: Display = entry(Display(), "")
    polling: Polling = entry(Polling(), "")
    profiles: Mapping[ProfileName, SavedProfile] = entry({}, "")
    views: ViewsTable = entry(ViewsTable(), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of the dashboard.

    Attributes:
        keys: the keys of every action, by the ids of the catalogue.
        columns: by list (`payments`), the ids of its columns, in order; other lists keep their own.
        track: identifiers to read one by one if the service cannot list their kind.
        operator_locked: dotted keys that the operator of this machine locks.
        origins: the source of each value by dotted key (`profiles.acme.base_url`,
            `polling.wallets`): `default`, `config.toml:12`, `environment PAYTUI_PROFILE`,
            `command line`.
    """

    profile: Profile
    polling: Polling = field(default_factory=Polling)
    rates: Rates = field(default_factory=Rates)
    overview: OverviewSettings = field(default_factory=OverviewSettings)
    floors: Floors = field(default_factory=dict)
    alerts: Alerts = field(default_factory=Alerts)
    display: Display = field(default_factory=Display)
    keys: Keymap = field(default_factory=lambda: keymap("default"))
    outbox: OutboxSettings = field(default_factory=OutboxSettings)
    lock: LockSettings = field(default_factory=LockSettings)
    cache: CacheSettings = field(default_factory=CacheSettings)
    webhooks: WebhookSettings = field(default_factory=WebhookSettings)
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    views: Mapping[str, Mapping[str, View]] = field(default_factory=dict)
    track: Tracked = field(default_factory=dict)
    operator_locked: frozenset[str] = frozenset()
    origins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrackedIdentifiers:
    """The tracked identifiers.

    Attributes:
        problem: the reason why these are the last valid ones, if a file cannot be used now.
        named: known fields of some objects, by kind and identifier.
    """

    identifiers: Tracked = field(default_factory=dict)
    problem: Problem | None = None
    named: Mapping[Kind, Mapping[str, Record]] = field(default_factory=dict)
