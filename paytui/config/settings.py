"""All settings, each declared once: its type and validation, default, example and explanation.

A class for a table of a file derives from `Table`. Its docstring is for users: it becomes comments
of `config.example.toml` (`user_files.py`). `Settings` holds the tables for the rest of paytui, with
paths resolved and the operator's restrictions applied (`load.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from paytui.config.value_parsers import COLUMNS
from paytui.domain.models import Kind, Problem, Record
from paytui.domain.money import DESK_ORDER, CurrencyCode, Pair
from paytui.domain.rates import DayStart, RateAlert, parse_alert, parse_day_start
from paytui.platform.clock import Zone
from paytui.platform.host import checked_base_url

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
PerMinute = Annotated[int, Parsed(partial(value_parsers.whole, 60, 60_000), of=object)]
Approvers = Annotated[int, Parsed(partial(value_parsers.whole, 1, 9), of=object)]
Amount = Annotated[Decimal, Parsed(value_parsers.amount, of=object)]
Currency = Annotated[CurrencyCode, Parsed(value_parsers.currency)]
Limits = Mapping[Currency, Amount]
Floors = Mapping[Text, Amount]
PairText = Annotated[Pair, Parsed(value_parsers.pair)]
Pairs = Annotated[tuple[Pair, ...], Parsed(value_parsers.each_once, of=tuple[PairText, ...])]
AlertText = Annotated[RateAlert, Parsed(parse_alert)]
RateAlerts = Annotated[
    tuple[RateAlert, ...], Parsed(value_parsers.each_once, of=tuple[AlertText, ...])
]
Day = Annotated[DayStart, Parsed(parse_day_start)]
BaseUrl = Annotated[str, Parsed(checked_base_url)]
Dsn = Annotated[str, Parsed(value_parsers.dsn)]
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

WATCHED = ("AUD/USD", "USD/AUD", "EUR/AUD", "AUD/EUR", "GBP/AUD", "AUD/JPY")


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in TOML."""
    return str(list(names)).replace("'", '"')


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountLimits(Table):
    """The same limits for one recipient, by its identifier, in addition to those above.

    They hold on every profile, live or not, and can only be stricter.
    """

    confirm_above: Limits = entry({}, '{ AUD = "1000" }')
    refuse_above: Limits = entry({}, '{ AUD = "50000" }')


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSettings(Table):
    """The amounts above which a colleague must approve an intent; both sides of a trade count.

    Such an intent is proposed: a trader with another role reviews and approves it on Activity. The
    desk's database refuses to let it leave otherwise. `paytui desk init --dsn` sets these limits
    for the whole desk; what the desk has holds.

    Attributes:
        above: Amounts above this need an approval, by currency. A trade above it needs a
            mandate, since its rate does not last.
        needs: The number of colleagues who must approve.
        within: The time in which it must be approved and sent.
    """

    above: Limits = entry({}, '{ AUD = "50000" }')
    needs: Approvers = entry(1, "1")
    within: Interval = entry(timedelta(hours=1), '"1h"')


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySettings(Table):
    """The most that all traders of the desk together send in one day, by its database.

    Sent and in doubt count, until it is known that they were not executed. Of a trade without a
    locked rate only the fixed amount counts. `paytui desk init --dsn` sets these limits too.

    Attributes:
        at_most: For the whole desk, by currency.
        per_trader: For each role of a trader.
        per_recipient: For each recipient.
        starts: The beginning of the day.
    """

    at_most: Limits = entry({}, '{ AUD = "1000000" }')
    per_trader: Limits = entry({}, '{ AUD = "500000" }')
    per_recipient: Limits = entry({}, '{ AUD = "200000" }')
    starts: Day = entry(DayStart(), '"00:00 UTC"')


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSettings(Table):
    """The PostgreSQL database of a desk, by which dashboards on several hosts work together.

    They share one token, and see each other's intents; nothing is sent while it is away. It needs
    `pip install 'paytui[desk]'`, and a role for each trader: see docs/desk.md. Without a desk, the
    dashboards of one host share a token by a file.

    Attributes:
        dsn: Required. The connection string, as for psql, without a password: that belongs into
            ~/.pgpass, or use a client certificate.
        listen_dsn: A direct connection for notifications, if dsn leads to a pooler in transaction
            mode. Without it, a new token is noticed within two seconds.
    """

    dsn: Dsn = field(
        metadata={"example": '"host=db.example dbname=desk user=anna sslmode=verify-full"'}
    )
    listen_dsn: Dsn | None = entry(None, '"host=db-direct.example dbname=desk user=anna"')
    approval: ApprovalSettings | None = entry(None, "[profiles.acme.desk.approval]")
    day: DaySettings | None = entry(None, "[profiles.acme.desk.day]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileTable(Table):
    """One table for each service and login.

    The name is yours: letters, digits, - and _.

    Attributes:
        base_url: Required. https, or http to this machine alone.
        client_id: Required. The clientId from onboarding. Do not put the secret into this file.
        live: Real money moves here. Every screen marks such a profile.
        read_only: Disable everything that moves money; `--read-only` does so for one run.
        description: A description of this profile.
        tint: The colour of the bar at the top of every screen, which identifies this profile:
            #rrggbb, or a meaning of the theme: money, up, down, closing, expired, doubt, live. Text
            on it is black or white, for contrast. Default: the theme's.
        payin_account_name: The account name for funds sent to a pay-in address, from the operator.
        confirm_above: On a live profile, amounts above this are retyped before they are sent, by
            currency; in other currencies, every amount. Either side of a trade counts.
        refuse_above: Amounts above this are never sent. Either side of a trade counts.
        secret_command: A program and its arguments, run without a shell, that prints the client
            secret as its first line within 10 seconds. A secret among its arguments is in clear
            text in this file, and causes a warning. Without a program, secret_file is used, then
            secret_keyring, then the environment: PAYTUI_ACME_CLIENT_SECRET (the profile's name in
            capitals, - as _) or PAYTUI_CLIENT_SECRET; else, paytui asks on the terminal.
        secret_file: A file with the client secret as its first line, private to you (chmod 600). A
            relative path starts at this file's folder.
        secret_keyring: An entry of the system's keyring with the client secret: service/user. It
            needs `pip install 'paytui[keyring]'`, and `paytui config keyring` puts a secret there.
        ca_file: The only certificate authorities to trust for the service's certificate, in PEM.
            Default: those that browsers trust; those in the environment are ignored.
        certificate_sha256: Fingerprints, one of which the service's certificate must have, whatever
            its authority; `paytui doctor` prints it. Add the next one before a renewal.
        client_cert_file: The client certificate in PEM, if the service requires one.
        client_key_file: Its key (chmod 600, without a passphrase), unless it is in the same file.
        proxy: The proxy, http:// or https://, without a password; the environment is ignored.
        token_file: The file in which processes share the one token of a client id. In a folder that
            a group may write to, the group shares it; the folder must be yours or root's. Default:
            a file in your runtime folder.
        dialect: Corrections to the wire format that paytui assumes; relative to this file.
    """

    base_url: BaseUrl = field(metadata={"example": '"https://api.example.com"'})
    client_id: Text = field(metadata={"example": '"acme-desk"'})
    live: Switch = entry(True, "true")
    read_only: Switch = entry(False, "false")
    description: Label | None = entry(None, '"Production, Sydney desk"')
    tint: Tint | None = entry(None, '"#802020"')
    payin_account_name: Label | None = entry(None, '"Acme Client Funds"')
    confirm_above: Limits = entry({}, '{ AUD = "100000", USD = "75000" }')
    refuse_above: Limits = entry({}, '{ AUD = "5000000" }')
    secret_command: Command = entry((), '["pass", "show", "paytui/acme"]')
    secret_file: File | None = entry(None, '"acme.secret"')
    secret_keyring: KeyringEntry | None = entry(None, '"paytui/acme"')
    ca_file: File | None = entry(None, '"acme-ca.pem"')
    certificate_sha256: tuple[Fingerprint, ...] = entry((), f'["{"a1" * 32}"]')
    client_cert_file: File | None = entry(None, '"desk.pem"')
    client_key_file: File | None = entry(None, '"desk.key"')
    proxy: Proxy | None = entry(None, '"http://proxy.example:3128"')
    token_file: File | None = entry(None, '"/run/desk/paytui.token"')
    dialect: File | None = entry(None, '"acme.dialect.toml"')
    desk: DeskSettings | None = entry(None, "[profiles.acme.desk]")
    recipients: Mapping[Text, AmountLimits] = entry({}, "[profiles.acme.recipients.RECIPIENT-ID]")


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
    """The interval of reads of each type of object.

    Seconds, or a number with its unit ("30s", "5m", "1h").

    Attributes:
        floor: The minimum interval of reads; at least one second.
        requests_per_minute: The maximum number of reads per minute; others wait. Requests that move
            money never wait.
        paused: Read everything once and then only on request (r), until polling is resumed.
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
        """The settings behind the first three, by kind; read each second."""
        return {Kind(name): getattr(self, name) for name in self.__slots__[3:]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates(Table):
    """The rate sheet. One is requested every two and a half minutes, whatever is on screen.

    Attributes:
        watch: The pairs of the rate sheet, in the service's direction: sold/bought. Of each the
            other direction is requested, too, so that there are a bid and an offer.
        desk_order: The market's order of currencies: the earlier of two is the base. All others
            follow, JPY last.
    """

    watch: Pairs = entry(tuple(map(value_parsers.pair, WATCHED)), _listed(WATCHED))
    desk_order: tuple[Currency, ...] = entry(DESK_ORDER, _listed(DESK_ORDER))


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewSettings(Table):
    """The figures of the Overview.

    Attributes:
        day_starts: The start of the day for the totals of today: a time and a zone of the tz
            database, for example "07:00 Australia/Sydney".
        reporting_currency: Total all currencies in this one, at the newest rates. The currencies of
            all wallets are priced against it on the same rate sheet; those without a rate are left
            out and named. Default: no total across currencies.
    """

    day_starts: Day = entry(DayStart(), '"00:00 UTC"')
    reporting_currency: Currency | None = entry(None, '"AUD"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts(Table):
    """Rate alerts, and the notification that goes with the message on screen.

    Attributes:
        when: Base/quote, bid, offer or mid, above or below, a rate. A seller of the base gets the
            bid. Each crossing is reported once, and again only after the rate has come back by more
            than 0.05%. Each new rate sheet is checked, every two and a half minutes; expired ones
            are not. An alert set on a chart lasts until you quit, and can be copied to here.
        notify: "osc9" and "osc777" are desktop notifications, if your terminal supports them; tmux
            passes only the bell.
    """

    when: RateAlerts = entry((), '["AUD/USD bid above 0.66", "AUD/JPY mid below 96"]')
    notify: Notify = entry("off", '"off"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Display(Table):
    """The screen: colours, characters, times, keys and the mouse.

    Attributes:
        theme: A shipped theme: "dark", "slate", "light", "daylight", "high-contrast",
            "deuteranopia", "tritanopia", "16-colour", "monochrome". Or your own, by the name of its
            file in the folder themes/ beside this file: copy a shipped one (`paytui config path`
            prints their place) under another name. While it is in use, edits show at once.
        colours: Number of colours. `auto` follows TERM, COLORTERM and NO_COLOR. With 16 or none,
            the terminal's own colours replace the theme's.
        characters: Characters of lines and signs. `auto`: ASCII if the locale has no UTF-8.
        time_zone: UTC, or the zone of this machine.
        heartbeat: A clock updated every five seconds, so that a hung link is noticed.
        key_scheme: `vim`: h and l leave and open, n and N go to the next and previous row, O
            creates.
        mouse: `on`: paytui uses the mouse, and your terminal selects text with shift held. `off`:
            your terminal uses it. `auto`: off over SSH and in tmux or screen, else on.
    """

    theme: Text = entry("dark", '"dark"')
    colours: Colours = entry("auto", '"auto"')
    characters: Characters = entry("auto", '"auto"')
    time_zone: TimeZone = entry("UTC", '"UTC"')
    heartbeat: OnOff = entry(True, "true")
    key_scheme: KeyScheme = entry("default", '"default"')
    mouse: Mouse = entry("auto", '"auto"')

    @property
    def zone(self) -> Zone:
        """Return the initial time zone of displayed times."""
        return UTC if self.time_zone == "UTC" else None

    def has_mouse(self, *, direct: bool) -> bool:
        """Return True if the mouse is captured on a direct or indirect terminal."""
        return direct if self.mouse == "auto" else self.mouse == "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxSettings(Table):
    """Intents are recorded here before they are sent; `paytui audit` prints them.

    Attributes:
        folder: A folder private to you (chmod 700), on a disk that supports locks. Default: your
            state folder.
        tag_reference: End each reference with a short tag (PT-7K3QX9WD), by which paytui finds a
            payment after a cut connection. Without it, you have to decide more often.
        audit_syslog: Also copy each line to the system log, without account numbers and keys. Each
            has the head of the outbox's hash chain: `paytui audit --verify --head CHAIN` checks it.
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


Unlocking = Annotated[
    tuple[UnlockCommand, ...],
    Parsed(lambda argv: (UnlockCommand(argv),) if argv else (), of=Command),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSettings(Table):
    """The idle lock: nothing can be created until you press f7 and type the profile's name.

    It protects an unattended keyboard against accidents.

    Attributes:
        after: The time without a key, at least 10s. Default: never.
        unlock_command: A program and its arguments that must also succeed, within a minute, for
            example a fingerprint check. It is run without a shell and without a terminal.
    """

    after: Idle | None = entry(None, '"10m"')
    unlock_command: Unlocking = entry((), '["fprintd-verify"]')


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheSettings(Table):
    """The last data read is stored in your cache folder, private to you.

    The next start shows it at once, marked with its age, until it is read again. It holds no
    secrets and no bank accounts. Long lists are read from it; without it, from a temporary file
    that ends with the program.
    """

    enabled: Switch = entry(True, "true")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings(Table):
    """The service can post its events here: each causes a read at once, before the next poll.

    The content of an event is never trusted; the object that it names is read from the service.
    The listener speaks plain http: put it behind a TLS proxy or a tunnel.

    Attributes:
        host: An address of this machine. Any except loopback needs secret_command or secret_file.
        path: The path of the URL given to the service: /hooks/ and at least 16 random characters.
            Required if enabled is true.
        secret_command: The signing secret of Standard Webhooks (whsec_ and base64): a program, a
            file (chmod 600), or the environment variable PAYTUI_WEBHOOK_SECRET, as for the client
            secret. Without one, events are shown as unsigned.
    """

    enabled: Switch = entry(False, "false")
    host: Host = entry("127.0.0.1", '"127.0.0.1"')
    port: Port = entry(8787, "8787")
    path: HookPath | None = entry(None, '"/hooks/5f0c1e9a7b3d4862"')
    secret_command: Command = entry((), '["pass", "show", "paytui/hooks"]')
    secret_file: File | None = entry(None, '"hooks.secret"')


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsTable(Table):
    """The columns of each list, in order, here the default ones.

    If the width is short the last ones are dropped first; amounts are never cut, and without the
    currency column an amount includes its currency.
    """

    accounts: ColumnIds | None = entry(None, _listed(COLUMNS["accounts"][:5]))
    wallets: ColumnIds | None = entry(None, _listed(COLUMNS["wallets"][:7]))
    payins: ColumnIds | None = entry(None, _listed(COLUMNS["payins"][:8]))
    payin_addresses: ColumnIds | None = entry(None, _listed(COLUMNS["payin_addresses"][:7]))
    trades: ColumnIds | None = entry(None, _listed(COLUMNS["trades"][:8]))
    recipients: ColumnIds | None = entry(None, _listed(COLUMNS["recipients"][:6]))
    payments: ColumnIds | None = entry(None, _listed(COLUMNS["payments"][:9]))
    intents: ColumnIds | None = entry(None, _listed(COLUMNS["intents"][:7]))


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
    """Named views of a list: `v` on the list chooses one or saves the current one.

    Each part is optional: the filter as typed, the sort order (- reverses), the columns.
    """

    accounts: Views = entry({}, '[views.accounts.new]\nfilter = "age<1d"')
    wallets: Views = entry({}, '[views.wallets.usd]\nfilter = "ccy:usd"')
    payins: Views = entry({}, '[views.payins.late]\nfilter = "age>1h"')
    payin_addresses: Views = entry({}, '[views.payin_addresses.swift]\nsort = ["bic"]')
    trades: Views = entry({}, '[views.trades.large]\nfilter = "amount>1m"\nsort = ["-created"]')
    recipients: Views = entry({}, '[views.recipients.au]\nfilter = "country:au"')
    payments: Views = entry(
        {},
        '[views.payments.held]\nfilter = "status:compliance_review"\nsort = ["created"]\n'
        'columns = ["created", "amount", "ccy", "to", "reference", "account"]',
    )
    intents: Views = entry({}, '[views.intents.open]\nfilter = "status:doubt"')


Tracked = Mapping[Kind, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackTable(Table):
    """Known identifiers, for a service without lists.

    Objects are read one by one while the service has no list of their type. They hold for every
    profile of this file; `paytui track` adds others for one profile, in a separate file beside it.
    """

    accounts: Identifiers = entry((), '["ACCOUNT-ID"]')
    wallets: Identifiers = entry((), '["WALLET-ID"]')
    payins: Identifiers = entry((), '["PAYIN-ID"]')
    trades: Identifiers = entry((), '["TRADE-ID"]')
    recipients: Identifiers = entry((), '["RECIPIENT-ID"]')
    payment_addresses: Identifiers = entry((), '["ADDRESS-ID"]')
    payments: Identifiers = entry((), '["PAYMENT-ID"]')

    @property
    def identifiers(self) -> Tracked:
        return {Kind(name): identifiers for name, identifiers in self.entries().items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile(Table):
    """The whole configuration file.

    Attributes:
        default_profile: The profile to use if neither --profile nor PAYTUI_PROFILE names one. Not
            needed if there is only one.
        floors: The minimum balance of a wallet: the Overview lists wallets below it. By currency,
            for each of its wallets, or by wallet id, which takes precedence.
        keys: Keys of your own, by id: `paytui keys` lists every id and its action. A key is a
            letter, a digit, a sign, a name ("f5", "pageup", "space"), or "ctrl+" and a letter;
            several go in brackets. They replace letters, signs and ctrl keys; enter, esc, tab,
            arrows, and the numbers of the screens also stay. A key with two actions in one place is
            refused at the start. Changes take effect at the next start.
    """

    default_profile: Text | None = entry(None, '"acme"')
    profiles: Mapping[ProfileName, ProfileTable] = entry({}, "[profiles.acme]")
    polling: Polling = entry(Polling(), "[polling]")
    rates: Rates = entry(Rates(), "[rates]")
    overview: OverviewSettings = entry(OverviewSettings(), "[overview]")
    floors: Floors = entry({}, '[floors]\nAUD = "10000"\nWALLET-ID = "2500.50"')
    alerts: Alerts = entry(Alerts(), "[alerts]")
    display: Display = entry(Display(), "[display]")
    keys: Mapping[Text, object] = entry({}, '[keys]\nlist.sort = "O"\napp.zone = ["f9", "Z"]')
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
        templates: the folder of templates if there is no configuration file; None for none.
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
    templates: Path | None = None
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
