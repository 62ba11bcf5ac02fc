"""Settings from the file, the environment and the command line, with their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from paytui.config.document import Document, read_document
from paytui.config.errors import ConfigError
from paytui.config.keys import (
    CATALOGUE,
    InvalidKey,
    KeyConflict,
    Keymap,
    is_character,
    key_conflicts,
    key_name,
    keymap,
    shown_key,
)
from paytui.config.operator_limits import (
    capped,
    check_allowed,
    combined_origins,
    limits_of,
    locked_keys,
    recipient_limits,
    stricter,
)
from paytui.config.schema import ConfigFile, ProfileTable, ViewsTable, ViewTable
from paytui.config.settings import (
    DEFAULT_INTERVALS,
    Alerts,
    CacheSettings,
    Display,
    Floors,
    OutboxSettings,
    OverviewSettings,
    Polling,
    Profile,
    Rates,
    Settings,
    View,
    WebhookSettings,
    lock_of,
)
from paytui.config.theme_files import themes_beside
from paytui.config.tracked import Tracked, identifiers_in, merge_tracked, read_tracked, tracked_path
from paytui.config.validation import KeyPath, Validator, validate
from paytui.config.values import floor_of, keyring_of
from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import parse_alert
from paytui.domain.trading_day import DayStart, parse_day_start
from paytui.platform.host import is_loopback
from paytui.platform.text import clean, did_you_mean

SUSPEND_KEY = "ctrl+z"

_TYPED_IN = ("form.", "filter.", "wizard.side", "wizard.requote")
"""Prefixes of ids that apply in text fields, where a character is text."""


def keymap_of(document: Document) -> Keymap:
    """Return the keys of a document.

    Raises:
        ConfigError: an id or key does not exist, or one key has two actions in one context.
    """
    entries: dict[str, KeyPath] = {}
    own: dict[str, tuple[str, ...]] = {}
    for entry, value in written_keys(document):
        name = _action(document, entry)
        own[name], entries[name] = _keys_at(document, entry, name, value), entry
    keys = keymap(document.contents.display.key_scheme or Display().key_scheme, own)
    if own:
        for conflict in key_conflicts(keys):
            raise _conflict_error(document, entries, conflict)
    return keys


def written_keys(document: Document) -> Iterator[tuple[KeyPath, object]]:
    """Yield each entry of `[keys]` with its path."""
    return _entries(("keys",), document.contents.keys)


def _entries(key: KeyPath, tree: Mapping[str, object]) -> Iterator[tuple[KeyPath, object]]:
    """Yield the entries of a table and its subtables: `list.sort` is `sort` within `list`."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _entries((*key, name), value)
        else:
            yield (*key, name), value


def _action(document: Document, entry: KeyPath) -> str:
    name = ".".join(entry[1:])
    if name in CATALOGUE:
        return name
    shown = tuple(clean(part, 40) for part in entry)
    remedy = f"{did_you_mean(name, CATALOGUE)}`paytui keys` lists them all."
    raise ConfigError(
        document.path, ".".join(shown), "is not the id of a key", remedy, document.lines.get(entry)
    )


def _keys_at(document: Document, entry: KeyPath, name: str, value: object) -> tuple[str, ...]:
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list) or not written:
        raise document.error(entry, "must name a key, or a list of keys", 'As in "f5".')
    return tuple(_key_at(document, entry, name, key) for key in written)


def _key_at(document: Document, entry: KeyPath, name: str, written: object) -> str:
    if not isinstance(written, str):
        raise document.error(entry, "must be text in quotes", 'As in "f5".')
    # Suspending is the one action that may have the terminal's own key.
    is_suspend = name == "app.suspend" and written.casefold() == SUSPEND_KEY
    try:
        key = SUSPEND_KEY if is_suspend else key_name(written)
    except InvalidKey as error:
        raise document.error(entry, error.message, error.remedy) from None
    typed_in = name.startswith(_TYPED_IN) and key not in CATALOGUE[name].keys.split(",")
    if typed_in and is_character(key):
        message = "cannot be a character: it is typed there"
        raise document.error(entry, message, 'Name one as "f6" or "ctrl+g".')
    return key


def _conflict_error(
    document: Document, entries: Mapping[str, KeyPath], conflict: KeyConflict
) -> ConfigError:
    """Return the error of a conflict, at the lower of its entries."""
    lines = {name: document.lines.get(entry, 0) for name, entry in entries.items()}
    theirs, mine = sorted((conflict.one, conflict.other), key=lambda name: lines.get(name, -1))
    message = (
        f"gives {shown_key(conflict.key)} to {mine} ({CATALOGUE[mine].does}), and {theirs} "
        f"({CATALOGUE[theirs].does}) has it too: {conflict.place}"
    )
    remedy = "Give one of them another key; `paytui keys` lists them all."
    return document.error(entries[mine], message, remedy)


CONFIG_VARIABLE = "PAYTUI_CONFIG"
PROFILE_VARIABLE = "PAYTUI_PROFILE"

Origins = dict[str, str]


def config_path(option: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the configuration's path: the command line's, the environment's or the default."""
    if option is not None:
        return option
    if named := environ.get(CONFIG_VARIABLE):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("paytui", appauthor=False) / "config.toml"


def load_settings(
    path: Path,
    environ: Mapping[str, str],
    *,
    profile: str | None = None,
    read_only: bool = False,
    accept_new_host: bool = False,
    check: Validator = validate,
) -> Settings:
    """Return the settings for one profile.

    Args:
        path: the configuration file.
        environ: the environment.
        profile: the command line's choice, before the environment's and the file's.
        read_only: True makes the profile read-only; no option makes it writable.
        accept_new_host: True accepts the service's current address, for these settings alone.
        check: the validator of the files; see `validation_cache.py`.

    Raises:
        ConfigError: the file cannot be used or does not hold the profile.
    """
    document = read_document(path, check)
    name, origin = choose_profile(document, profile, environ)
    settings = settings_of(document, name)
    origins = {**settings.origins, "profile": origin}
    if read_only and not settings.profile.read_only:
        origins[f"profiles.{name}.read_only"] = "command line"
        settings = replace(settings, profile=replace(settings.profile, read_only=True))
    chosen = replace(settings.profile, accepts_new_host=accept_new_host)
    return replace(settings, profile=chosen, origins=origins)


def choose_profile(
    document: Document, option: str | None, environ: Mapping[str, str]
) -> tuple[str, str]:
    """Return the name of the profile and the source of the choice.

    Raises:
        ConfigError: the profile does not exist, or none was chosen.
    """
    names = list(document.contents.profiles)
    if option is not None:
        name, origin = option, "command line"
    elif named := environ.get(PROFILE_VARIABLE):
        name, origin = named, f"environment {PROFILE_VARIABLE}"
    elif default := document.contents.default_profile:
        name, origin = default, document.origin(("default_profile",))
    elif len(names) == 1:
        name, origin = names[0], "the only one"
    else:
        raise _no_choice(document, names)
    if name not in names:
        raise _unknown_profile(document, name, origin, names)
    return name, origin


def _no_choice(document: Document, names: list[str]) -> ConfigError:
    if not names:
        return document.error(
            ("profiles",), "holds no profile", "Add one, as config.example.toml shows."
        )
    remedy = f"Name one of them by --profile or default_profile: {', '.join(names)}."
    return document.error(("profiles",), "holds several profiles and none is chosen", remedy)


def _unknown_profile(document: Document, name: str, origin: str, names: list[str]) -> ConfigError:
    key = ("default_profile",) if origin == document.origin(("default_profile",)) else ("profiles",)
    known = ", ".join(names) or "none"
    message = f'there is no profile "{clean(name, 40)}" ({origin})'
    return document.error(key, message, f"Profiles in this file: {known}.")


def settings_of(document: Document, name: str) -> Settings:
    """Return the settings of one profile of a document.

    Raises:
        ConfigError: an entry names something that does not exist or that the operator forbids.
    """
    polling, polling_origins = polling_of(document)
    locked = locked_keys(document, name)
    check_allowed(document, name)
    table = document.contents.profiles[name]
    _check_connection(document, name, table)
    keys = [("profiles", name, field) for field in ProfileTable.names()]
    return Settings(
        profile=_profile(document, name, table),
        polling=polling,
        rates=rates_of(document.contents),
        overview=overview_of(document.contents),
        floors=floors_of(document.contents),
        alerts=alerts_of(document.contents),
        display=display_of(document),
        keys=keymap_of(document),
        outbox=outbox_of(document),
        lock=lock_of(document),
        cache=cache_of(document.contents),
        webhooks=webhooks_of(document),
        columns=columns_of(document.contents),
        views=views_of(document.contents),
        track=track_of(document, name),
        operator_locked=frozenset(locked),
        origins={
            **{".".join(key): document.origin(key) for key in keys},
            **dict(_limit_origins(document, name, table)),
            **polling_origins,
            **dict(_section_origins(document)),
            **combined_origins(document, name),
            **locked,
        },
    )


def _profile(document: Document, name: str, table: ProfileTable) -> Profile:
    path, operator = document.path, document.operator.contents
    confirmed = limits_of(operator.limits.confirm_above)
    return Profile(
        file=path,
        name=name,
        base_url=table.base_url,
        client_id=table.client_id,
        live=table.live,
        read_only=table.read_only or operator.read_only,
        dialect=_beside(path, table.dialect),
        secret_command=tuple(table.secret_command),
        secret_file=_beside(path, table.secret_file),
        secret_keyring=keyring_of(table.secret_keyring),
        ca_file=_beside(path, table.ca_file),
        client_cert_file=_beside(path, table.client_cert_file),
        client_key_file=_beside(path, table.client_key_file),
        certificate_sha256=tuple(table.certificate_sha256),
        proxy=table.proxy,
        token_file=_beside(path, table.token_file),
        payin_account_name=table.payin_account_name and clean(table.payin_account_name),
        confirm_above=capped(limits_of(table.confirm_above), confirmed),
        refuse_above=stricter(
            limits_of(table.refuse_above), limits_of(operator.limits.refuse_above)
        ),
        always_typed_above=confirmed,
        recipients=recipient_limits(table.recipients, operator.limits),
        description=table.description and clean(table.description),
        tint=table.tint,
    )


def _check_connection(document: Document, name: str, table: ProfileTable) -> None:
    """Check that connection settings are consistent.

    Raises:
        ConfigError: a client key has no certificate, or a proxy is set for plain http.
    """
    if table.client_key_file is not None and table.client_cert_file is None:
        key = ("profiles", name, "client_key_file")
        raise document.error(key, "has no certificate", "Set client_cert_file too.")
    if table.proxy is not None and not table.base_url.startswith("https:"):
        key = ("profiles", name, "proxy")
        message = "is for https, and base_url is plain http to this machine"
        raise document.error(key, message, "Leave it out.")


def _beside(path: Path | None, name: str | None) -> Path | None:
    """Resolve a path relative to the configuration file."""
    if name is None:
        return None
    folder = path.absolute().parent if path else Path.cwd()
    return folder / Path(name).expanduser()


def polling_of(document: Document) -> tuple[Polling, Origins]:
    """Return the intervals, raised to the floor, and their sources."""
    table = document.contents.polling
    polling = Polling()
    floor = polling.floor if table.floor is None else timedelta(seconds=table.floor)
    intervals: dict[Kind, timedelta] = {}
    origins = {"polling.floor": document.origin(("polling", "floor"))}
    for kind, default in DEFAULT_INTERVALS.items():
        written: float | None = getattr(table, kind.value)
        wanted = default if written is None else timedelta(seconds=written)
        intervals[kind] = max(wanted, floor)
        origin = document.origin(("polling", kind.value))
        origins[f"polling.{kind}"] = origin if wanted >= floor else f"{origin}, raised to the floor"
    for key in ("requests_per_minute", "paused"):
        origins[f"polling.{key}"] = document.origin(("polling", key))
    a_minute = table.requests_per_minute or polling.requests_per_minute
    paused = polling.paused if table.paused is None else table.paused
    return replace(
        polling, intervals=intervals, floor=floor, requests_per_minute=a_minute, paused=paused
    ), origins


def rates_of(contents: ConfigFile) -> Rates:
    rates = Rates()
    watch, order = contents.rates.watch, contents.rates.desk_order
    return Rates(
        watch=rates.watch if watch is None else tuple(dict.fromkeys(map(_pair, watch))),
        desk_order=rates.desk_order if order is None else tuple(map(CurrencyCode, order)),
    )


def _pair(text: str) -> Pair:
    sell, _, buy = text.partition("/")
    return Pair(CurrencyCode(sell), CurrencyCode(buy))


def overview_of(contents: ConfigFile) -> OverviewSettings:
    written, currency = contents.overview.day_starts, contents.overview.reporting_currency
    return OverviewSettings(
        day_starts=DayStart() if written is None else parse_day_start(written),
        reporting_currency=None if currency is None else CurrencyCode(currency),
    )


def floors_of(contents: ConfigFile) -> Floors:
    return {floor_of(written): amount for written, amount in contents.floors.items()}


def alerts_of(contents: ConfigFile) -> Alerts:
    when = tuple(map(parse_alert, dict.fromkeys(contents.alerts.when)))
    return Alerts(when=when, notify=contents.alerts.notify or Alerts().notify)


def display_of(document: Document) -> Display:
    """Return the display settings.

    Raises:
        ConfigError: no theme has the given name, or two have it.
    """
    display = Display(**document.contents.display.said())
    themes = themes_beside(document.path)
    if display.theme not in themes.names:
        remedy = themes.remedy(display.theme)
        raise document.error(("display", "theme"), "names no theme", remedy)
    themes.file(display.theme)
    return display


def outbox_of(document: Document) -> OutboxSettings:
    table = document.contents.outbox
    given = table.said("folder", "audit_syslog")
    copied = bool(table.audit_syslog) or document.operator.contents.audit_syslog
    folder = _beside(document.path, table.folder)
    return OutboxSettings(folder=folder, audit_syslog=copied, **given)


def cache_of(contents: ConfigFile) -> CacheSettings:
    return CacheSettings(**contents.cache.said())


def webhooks_of(document: Document) -> WebhookSettings:
    """Return the webhook settings.

    Raises:
        ConfigError: the path is missing, or others could send unsigned events.
    """
    table = document.contents.webhooks
    webhooks = WebhookSettings(
        **table.said("secret_command", "secret_file"),
        secret_command=tuple(table.secret_command),
        secret_file=_beside(document.path, table.secret_file),
    )
    if webhooks.enabled and webhooks.path is None:
        remedy = "Write /hooks/ and what nobody guesses, as by `openssl rand -hex 16`."
        raise document.error(("webhooks", "path"), "is missing, and enabled is true", remedy)
    signed = webhooks.secret_command or webhooks.secret_file
    if not is_loopback(webhooks.host) and not signed:
        remedy = "Set secret_command or secret_file, or listen on 127.0.0.1."
        message = "lets others on the network send events, and no secret tells which are real"
        raise document.error(("webhooks", "host"), message, remedy)
    return webhooks


def columns_of(contents: ConfigFile) -> Mapping[str, tuple[str, ...]]:
    """Return the columns of each list that has an entry."""
    chosen: dict[str, list[str]] = contents.columns.said()
    return {name: tuple(ids) for name, ids in chosen.items()}


def views_of(contents: ConfigFile) -> Mapping[str, Mapping[str, View]]:
    """Return the named views of each list that has any."""
    of_list = ((name, getattr(contents.views, name)) for name in ViewsTable.names())
    return {
        name: {clean(view): _view(table) for view, table in views.items()}
        for name, views in of_list
        if views
    }


def _view(table: ViewTable) -> View:
    sort, columns = table.sort, table.columns
    return View(
        filter=table.filter,
        sort=None if sort is None else tuple((s.removeprefix("-"), s[0] == "-") for s in sort),
        columns=None if columns is None else tuple(columns),
    )


def track_of(document: Document, profile: str) -> Tracked:
    """Return the tracked identifiers: those in the file and those added by `paytui track`.

    Raises:
        ConfigError: the file of `paytui track` cannot be used.
    """
    own = identifiers_in(document.contents.track)
    if document.path is None:
        return merge_tracked(own, {})
    added = read_tracked(tracked_path(document.path), document.check)
    return merge_tracked(own, added.get(profile, {}))


def _limit_origins(document: Document, name: str, table: ProfileTable) -> Iterator[tuple[str, str]]:
    """Yield the source of each currency's limit; some may be set on screen, others in the file."""
    for currency in table.confirm_above:
        key = ("profiles", name, "confirm_above", currency)
        yield ".".join(key), document.origin(key)


def _section_origins(document: Document) -> Iterator[tuple[str, str]]:
    contents = document.contents
    sections = (
        ("rates", contents.rates),
        ("overview", contents.overview),
        ("alerts", contents.alerts),
        ("display", contents.display),
        ("outbox", contents.outbox),
        ("lock", contents.lock),
        ("cache", contents.cache),
        ("webhooks", contents.webhooks),
        ("columns", contents.columns),
    )
    for name, table in sections:
        for field in table.names():
            yield f"{name}.{field}", document.origin((name, field))
