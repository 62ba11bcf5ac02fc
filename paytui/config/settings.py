"""What paytui is set to do: one profile, and how to poll, price and show.

Every value is resolved and checked; `Settings.origins` tells where each came from.
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
"""By currency, or by wallet id, which goes first: what a wallet is to hold at the least."""

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
    """What is typed before it is sent, and what is not sent at all; more than this, by currency."""

    confirm_above: Limits = field(default_factory=dict)
    refuse_above: Limits = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One service and who we are there.

    Attributes:
        file: the configuration that it stands in; None where it stands in none.
        base_url: without a trailing slash; https, or http to this machine alone.
        live: whether real money moves: shown in words and colour on every screen.
        read_only: nothing that moves money is offered.
        dialect: the file that corrects what we assume of the wire (service.md).
        secret_command: argv whose first line of output is the client secret; empty: none.
        secret_keyring: the entry of the system's keyring that holds it: a service and a user name.
        ca_file: the authorities that alone vouch for the service; None: those that browsers trust.
        client_cert_file: what we prove ourselves by, beside the secret, where the service asks.
        client_key_file: its key; None: it is in the same file.
        accepts_new_host: whether somebody has said, for this start, that where it leads and what
            proves it there is right.
        certificate_sha256: fingerprints, in hexadecimal, one of which the service's certificate
            has; empty: any that is vouched for.
        proxy: through which alone it is reached; None: directly, whatever the environment says.
        token_file: through which processes share the token; None: one in the user's own runtime
            folder.
        payin_account_name: the account name to use when sending funds (service.md §2).
        confirm_above: on a live profile, what is more than this is typed before it is sent; a
            currency that is not here is always typed.
        refuse_above: what is more than this is not sent at all; of a trade, either side.
        always_typed_above: as `confirm_above`, and whether the profile is live or not; a currency
            that is not here is left to that.
        recipients: the same of what goes to some of them, by identifier; it can only be stricter.
        tint: the colour of the bar on every screen: `#rrggbb`, or a meaning that themes have a
            colour for; None: that of the theme.
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
        """Where one of its entries stands: `/home/x/config.toml: profiles.acme.dialect`."""
        place = f"profiles.{self.name}.{key}"
        return place if self.file is None else f"{self.file}: {place}"

    @property
    def host(self) -> str:
        """Host and port of the service, as a person recognises it."""
        return urlsplit(self.base_url).netloc


@dataclass(frozen=True, slots=True, kw_only=True)
class Polling:
    """How often each kind is read; no interval is under `floor`, and `floor` not under 1 s.

    Attributes:
        requests_per_minute: how many reads are sent at the most; what moves money never waits.
        paused: whether, after the first read, nothing is read before somebody asks for it.
    """

    intervals: Mapping[Kind, timedelta] = field(default_factory=lambda: DEFAULT_INTERVALS)
    floor: timedelta = LOWEST_FLOOR
    requests_per_minute: int = 1_200
    paused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Which pairs to price, in the service's direction (sell, buy), and how the market writes them.

    Attributes:
        desk_order: of two currencies the earlier is the base; see `Pair.market`.
    """

    watch: tuple[Pair, ...] = DEFAULT_WATCH
    desk_order: tuple[CurrencyCode, ...] = DESK_ORDER


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewSettings:
    """What the figures of the Overview are reckoned by.

    Attributes:
        day_starts: from when what was dealt counts as today's.
        reporting_currency: what all currencies are added up in; None: they are not.
    """

    day_starts: DayStart = field(default_factory=DayStart)
    reporting_currency: CurrencyCode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts:
    """Rates that a trader waits for, and how one is told beside the words on screen."""

    when: tuple[RateAlert, ...] = ()
    notify: Notify = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """How things look.

    Attributes:
        theme: the name of a file in `themes/`, shipped or beside the configuration.
        heartbeat: whether the clock ticks, so that a hung link is seen.
        key_scheme: which keys there are where nobody chose others.
        mouse: whether it is ours; auto: not over SSH nor in tmux or screen, where selecting text is
            worth more.
        colours: how many to paint in; auto: as many as the terminal seems to have.
        characters: what lines and signs are drawn in; auto: ASCII where the locale has no UTF-8.
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
        """What times are shown in, at first."""
        return UTC if self.time_zone == "UTC" else None

    def has_mouse(self, *, direct: bool) -> bool:
        """Whether it is ours on a terminal that is here, or behind a link or in a window."""
        return direct if self.mouse == "auto" else self.mouse == "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxSettings:
    """How what was confirmed is kept.

    Attributes:
        folder: where; None: in the user's state directory.
        tag_reference: whether the reference that is sent carries the intent's identifier, by which
            a look-up knows the object again.
        audit_syslog: whether each line also goes to the system's log.
    """

    folder: Path | None = None
    tag_reference: bool = True
    audit_syslog: bool = False


@dataclass(frozen=True, slots=True)
class UnlockCommand:
    """A program that has to end well before what was locked is unlocked.

    Attributes:
        argv: with its arguments.
        is_operators: whether the operator has set it, so that nothing of the user's leads it.
    """

    argv: tuple[str, ...]
    is_operators: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSettings:
    """When nothing is created any more before somebody says that they are there.

    Attributes:
        after: how long nobody has pressed a key; None: never.
        unlock_command: what has to end well, beside what is typed.
    """

    after: timedelta | None = None
    unlock_command: tuple[UnlockCommand, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheSettings:
    """What is kept, on disk for the next start and in memory.

    Attributes:
        enabled: whether the last known state is kept in the user's cache folder.
        retain: of each list that only grows, how many of the newest are in memory beside all that
            are open.
    """

    enabled: bool = True
    retain: int = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings:
    """Where the service's events are listened for, if they are.

    Attributes:
        host: a literal address of this machine; another than loopback only where events are signed.
        path: where the service posts them; secret, None only where nothing is listened for.
        secret_command: argv whose first line of output is what events are signed with; empty: none.
    """

    enabled: bool = False
    host: str = "127.0.0.1"
    port: int = 8787
    path: str | None = None
    secret_command: tuple[str, ...] = ()
    secret_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A way to look at a list; None leaves what the list has.

    Attributes:
        filter: in the language of filters.
        sort: ids of columns, the most important first, each with whether it is descending.
        columns: ids of what is shown, in order.
    """

    filter: str | None = None
    sort: tuple[tuple[str, bool], ...] | None = None
    columns: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that the dashboard is told.

    Attributes:
        keys: what is pressed, by the ids of the catalogue; all of them.
        columns: by list (`payments`), the ids of what it shows, in order; a list that is not here
            shows its own.
        views: by list, ways to look at it by name.
        track: identifiers to read one by one where the service has no list of their kind.
        held: dotted keys of what the operator of this machine has set: no choice changes them.
        origins: by dotted key (`profiles.acme.base_url`, `polling.wallets`), where the value came
            from: `default`, `config.toml:12`, `environment PAYTUI_PROFILE`, `command line`.
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
    held: frozenset[str] = frozenset()
    origins: Mapping[str, str] = field(default_factory=dict)


# The idle lock of a configuration.


def lock_of(document: Document) -> LockSettings:
    """When nothing is created any more: the user's time or the operator's, the shorter of both."""
    operators, own = document.operator.says.lock, document.contents.lock
    times = [table.after for table in (operators, own) if table.after is not None]
    commands = (
        UnlockCommand(tuple(operators.unlock_command), is_operators=True),
        UnlockCommand(tuple(own.unlock_command)),
    )
    return LockSettings(
        after=timedelta(seconds=min(times)) if times else None,
        unlock_command=tuple(command for command in commands if command.argv),
    )
