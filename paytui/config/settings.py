"""Typed settings: one profile, and how to poll, price and display.

Every value is resolved and validated; `Settings.origins` holds the source of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

from paytui.config.document import Document
from paytui.config.keys import Keymap, keymap
from paytui.domain.models import Kind
from paytui.domain.money import DESK_ORDER, CurrencyCode, Pair
from paytui.domain.rates import RateAlert
from paytui.domain.trading_day import DayStart
from paytui.platform.clock import Zone

TimeZone = Literal["UTC", "local"]
KeyScheme = Literal["default", "vim"]
Colours = Literal["auto", "truecolor", "256", "16", "none"]
Characters = Literal["auto", "utf-8", "ascii"]
Notify = Literal["bell", "osc9", "osc777", "off"]
Mouse = Literal["auto", "on", "off"]
Limits = Mapping[CurrencyCode, Decimal]
Floors = Mapping[str, Decimal]
"""The least balance of a wallet, by currency or by wallet id, which takes precedence."""

DEFAULT_INTERVALS: Mapping[Kind, timedelta] = MappingProxyType(
    {
        Kind.WALLETS: timedelta(seconds=5),
        Kind.PAYMENTS: timedelta(seconds=5),
        Kind.TRADES: timedelta(seconds=5),
        Kind.PAYINS: timedelta(seconds=10),
        Kind.ACCOUNTS: timedelta(seconds=60),
        Kind.RECIPIENTS: timedelta(seconds=60),
        Kind.PAYIN_ADDRESSES: timedelta(seconds=300),
        Kind.PAYMENT_ADDRESSES: timedelta(seconds=300),
    }
)
LOWEST_FLOOR = timedelta(seconds=1)
DEFAULT_WATCH: tuple[Pair, ...] = tuple(
    Pair(CurrencyCode(sell), CurrencyCode(buy))
    for sell, buy in (
        ("AUD", "USD"),
        ("USD", "AUD"),
        ("EUR", "AUD"),
        ("AUD", "EUR"),
        ("GBP", "AUD"),
        ("AUD", "JPY"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountLimits:
    """Limits by currency: amounts above `confirm_above` are typed, above `refuse_above` refused."""

    confirm_above: Limits = field(default_factory=dict)
    refuse_above: Limits = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A service and our client id there.

    Attributes:
        file: its configuration file; None without one.
        base_url: without a trailing slash; https, or http to this machine alone.
        live: True if real money moves: shown in words and colour on every screen.
        read_only: True to offer nothing that moves money.
        dialect: the file that corrects our assumptions about the wire (service.md).
        secret_command: argv whose first line of output is the client secret; empty: none.
        secret_keyring: the keyring entry that holds it: a service and a user name.
        ca_file: the only trusted certificate authorities; None: those that browsers trust.
        client_cert_file: our client certificate, if the service requires one.
        client_key_file: its key; None: it is in the same file.
        accepts_new_host: True if the user accepts the service's current address and certificate,
            for this start.
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
        always_typed_above: the operator's `confirm_above`, which applies to every profile; for a
            currency without a limit, `confirm_above` decides.
        recipients: additional limits of some recipients, by identifier.
        tint: the colour of the bar on every screen: `#rrggbb`, or a colour role of the theme;
            None: that of the theme.
    """

    name: str
    base_url: str
    client_id: str
    live: bool = True
    read_only: bool = False
    accepts_new_host: bool = False
    dialect: Path | None = None
    secret_command: tuple[str, ...] = ()
    secret_file: Path | None = None
    secret_keyring: tuple[str, str] | None = None
    ca_file: Path | None = None
    client_cert_file: Path | None = None
    client_key_file: Path | None = None
    certificate_sha256: tuple[str, ...] = ()
    proxy: str | None = None
    token_file: Path | None = None
    payin_account_name: str | None = None
    confirm_above: Limits = field(default_factory=dict)
    refuse_above: Limits = field(default_factory=dict)
    always_typed_above: Limits = field(default_factory=dict)
    recipients: Mapping[str, AmountLimits] = field(default_factory=dict)
    description: str | None = None
    tint: str | None = None
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
class Polling:
    """The polling intervals; none is under `floor`, and `floor` is at least 1 s.

    Attributes:
        requests_per_minute: the most reads; requests that move money never wait.
        paused: True to read only on request after the first read.
    """

    intervals: Mapping[Kind, timedelta] = field(default_factory=lambda: DEFAULT_INTERVALS)
    floor: timedelta = LOWEST_FLOOR
    requests_per_minute: int = 1_200
    paused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The pairs to price, in the service's direction (sell, buy), and the market's order.

    Attributes:
        desk_order: of two currencies the earlier is the base; see `Pair.market`.
    """

    watch: tuple[Pair, ...] = DEFAULT_WATCH
    desk_order: tuple[CurrencyCode, ...] = DESK_ORDER


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewSettings:
    """The settings for the figures of the Overview.

    Attributes:
        day_starts: the start of the trading day.
        reporting_currency: the currency of totals; None: no totals.
    """

    day_starts: DayStart = field(default_factory=DayStart)
    reporting_currency: CurrencyCode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts:
    """Rate alerts, and the notification that goes with the message on screen."""

    when: tuple[RateAlert, ...] = ()
    notify: Notify = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """The display settings.

    Attributes:
        theme: the name of a file in `themes/`, shipped or beside the configuration.
        heartbeat: True to show a ticking clock, which reveals a hung link.
        key_scheme: the keys where the user set no others.
        mouse: mouse capture; auto: off over SSH and in tmux or screen, where selecting text
            matters more.
        colours: the colour depth; auto: detected from the terminal.
        characters: the character set of lines and symbols; auto: ASCII if the locale is not UTF-8.
    """

    theme: str = "dark"
    time_zone: TimeZone = "UTC"
    heartbeat: bool = True
    key_scheme: KeyScheme = "default"
    mouse: Mouse = "auto"
    colours: Colours = "auto"
    characters: Characters = "auto"

    @property
    def zone(self) -> Zone:
        """Return the initial time zone of displayed times."""
        return UTC if self.time_zone == "UTC" else None

    def has_mouse(self, *, direct: bool) -> bool:
        """Return True if the mouse is captured on a direct or indirect terminal."""
        return direct if self.mouse == "auto" else self.mouse == "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxSettings:
    """The outbox settings.

    Attributes:
        folder: its folder; None: in the user's state directory.
        tag_reference: True to add the intent's id to the sent reference, by which a look-up
            identifies the object.
        audit_syslog: True to copy each entry to the system's log.
    """

    folder: Path | None = None
    tag_reference: bool = True
    audit_syslog: bool = False


@dataclass(frozen=True, slots=True)
class UnlockCommand:
    """A program that has to exit with 0 before the lock opens.

    Attributes:
        argv: the program with its arguments.
        is_operators: True if the operator set it; it then runs without the user's environment.
    """

    argv: tuple[str, ...]
    is_operators: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSettings:
    """The idle lock, after which nothing is created until the trader unlocks.

    Attributes:
        after: the time without a key press; None: never.
        unlock_command: programs that have to succeed, in addition to the typed code.
    """

    after: timedelta | None = None
    unlock_command: tuple[UnlockCommand, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheSettings:
    """The settings for data kept on disk and in memory.

    Attributes:
        enabled: True to keep the last known state in the user's cache folder.
        retain: the number of newest rows of each growing list in memory, besides all open rows.
    """

    enabled: bool = True
    retain: int = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings:
    """The settings for the listener for the service's events.

    Attributes:
        host: an IP address of this machine; other than loopback only if events are signed.
        path: the secret path that the service posts to; None only if `enabled` is False.
        secret_command: argv whose first line of output is the signing secret; empty: none.
    """

    enabled: bool = False
    host: str = "127.0.0.1"
    port: int = 8787
    path: str | None = None
    secret_command: tuple[str, ...] = ()
    secret_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A view of a list; None keeps the list's own.

    Attributes:
        filter: a filter expression.
        sort: column ids with True for descending, the most significant first.
        columns: column ids, in order.
    """

    filter: str | None = None
    sort: tuple[tuple[str, bool], ...] | None = None
    columns: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of the dashboard.

    Attributes:
        keys: the keys of every action, by the ids of the catalogue.
        columns: by list (`payments`), the ids of its columns, in order; other lists keep their own.
        views: the named views of each list.
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
    track: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    operator_locked: frozenset[str] = frozenset()
    origins: Mapping[str, str] = field(default_factory=dict)


def lock_of(document: Document) -> LockSettings:
    """Return the idle lock: the shorter of the user's and the operator's times."""
    operators, own = document.operator.contents.lock, document.contents.lock
    times = [table.after for table in (operators, own) if table.after is not None]
    commands = (
        UnlockCommand(tuple(operators.unlock_command), is_operators=True),
        UnlockCommand(tuple(own.unlock_command)),
    )
    return LockSettings(
        after=timedelta(seconds=min(times)) if times else None,
        unlock_command=tuple(command for command in commands if command.argv),
    )
