"""Settings from the file, the environment and the command line, with their sources.

Functions raise `ConfigError` if a file cannot be read or an entry of it cannot be used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from paytui.config import saved_files
from paytui.config.key_bindings import (
    CATALOGUE,
    Keymap,
    key_conflicts,
    keymap,
    parse_keys,
    shown_key,
)
from paytui.config.operator_policy import Operator, read_operator, stricter
from paytui.config.settings import (
    ConfigFile,
    Display,
    Profile,
    ProfileTable,
    Settings,
    Tracked,
    TrackedIdentifiers,
    WebhookSettings,
)
from paytui.config.theme_files import themes_beside
from paytui.config.validation import (
    ConfigError,
    KeyPath,
    T,
    Table,
    Validator,
    file_errors,
    key_lines,
    validate,
    validated,
)
from paytui.config.value_parsers import floor_of
from paytui.domain.models import Problem
from paytui.platform.files import Signature, signature
from paytui.platform.host import is_loopback
from paytui.platform.text import InvalidValue, clean

CONFIG_VARIABLE = "PAYTUI_CONFIG"
PROFILE_VARIABLE = "PAYTUI_PROFILE"

START = "Try `paytui demo`, or write one with `paytui config init`."


@dataclass(frozen=True, slots=True)
class Document:
    """A configuration file with its line numbers; empty without a file.

    Attributes:
        contents: the file with the saved settings merged over it.
        saved: settings chosen on screen; see `saved_files.py`.
        check: its validator, which also validates the files beside it.
        operator: the operator's settings, which apply to every user of this machine.
    """

    path: Path | None = None
    contents: ConfigFile = field(default_factory=ConfigFile)
    tree: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    saved: Mapping[str, object] = field(default_factory=dict)
    check: Validator = validate
    operator: Operator = field(default_factory=Operator)

    def origin(self, key: KeyPath) -> str:
        """Return the source of a value: `config.toml:12`, `config.saved.toml` or `default`."""
        if saved_files.has_key(self.saved, key):
            return saved_files.saved_path(self.path).name if self.path else "chosen here"
        if not saved_files.has_key(self.tree, key):
            return "default"
        name = self.path.name if self.path else ""
        return f"{name}:{self.lines[key]}" if key in self.lines else name

    def error(self, key: KeyPath, message: str, remedy: str) -> ConfigError:
        place = ".".join(clean(part, 60) for part in key)
        return ConfigError(self.path, place, message, remedy, self.lines.get(key))


def read_document(path: Path, check: Validator = validate) -> Document:
    """Read a configuration, its saved settings and the operator's file."""
    return with_saved(path, saved_files.read_saved(saved_files.saved_path(path), check), check)


def with_saved(path: Path, chosen: saved_files.Tree, check: Validator = validate) -> Document:
    """Read a configuration with saved settings, current or proposed, merged over it."""
    tree, lines = _read(path)
    contents = validated(ConfigFile, path, tree, lines, check)
    if saved := _of_profiles(chosen, tree):
        whole = saved_files.merged(tree, saved)
        contents = validated(ConfigFile, saved_files.saved_path(path), whole, check=check)
    return Document(path, contents, tree, lines, saved, check, read_operator())


def _of_profiles(saved: saved_files.Tree, tree: Mapping[str, object]) -> saved_files.Tree:
    """Return the saved settings without those of removed profiles."""
    chosen, there = saved.get("profiles"), tree.get("profiles")
    if not isinstance(chosen, Mapping):
        return saved
    names = there if isinstance(there, Mapping) else {}
    return {**saved, "profiles": {name: chosen[name] for name in chosen if name in names}}


def _read(path: Path) -> tuple[saved_files.Tree, Mapping[KeyPath, int]]:
    with file_errors(path):
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ConfigError(path, "", "does not exist", START) from None
        return tomllib.loads(text), key_lines(text)


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
        profile: the command line's choice, before the environment's and the file's.
        read_only: True makes the profile read-only; no option makes it writable.
        accept_new_host: True accepts the service's current address, for these settings alone.
        check: the validator of the files; see `validation_cache.py`.
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

    Raise ConfigError if the profile does not exist, or none was chosen.
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
        message, remedy = "holds no profile", "Add one, as config.example.toml shows."
        if names:
            message = "holds several profiles and none is chosen"
            remedy = f"Name one of them by --profile or default_profile: {', '.join(names)}."
        raise document.error(("profiles",), message, remedy)
    if name not in names:
        is_default = origin == document.origin(("default_profile",))
        message = f'there is no profile "{clean(name, 40)}" ({origin})'
        remedy = f"Profiles in this file: {', '.join(names) or 'none'}."
        raise document.error(("default_profile" if is_default else "profiles",), message, remedy)
    return name, origin


def settings_in(path: Path, tree: Mapping[str, object], name: str) -> Settings:
    """Return the settings of a profile of a proposed configuration."""
    contents = validated(ConfigFile, path, tree)
    return settings_of(Document(path, contents, tree, operator=read_operator()), name)


def settings_of(document: Document, name: str) -> Settings:
    contents, operator = document.contents, document.operator
    table = contents.profiles[name]
    profile, sections = _profile(document, name, table), sections_of(document)
    columns = contents.columns.entries().items()
    locked = dict([*operator.locked_in(name, table), *operator.locked_for_all(contents)])
    return Settings(
        profile=profile,
        **sections,
        floors={floor_of(written): amount for written, amount in contents.floors.items()},
        keys=keymap_of(document),
        columns={of_list: ids for of_list, ids in columns if ids is not None},
        views={of_list: views for of_list, views in contents.views.entries().items() if views},
        track=track_of(document, name),
        operator_locked=frozenset(locked),
        origins={
            **dict(_profile_origins(document, name, table)),
            **dict(section_origins(document, sections)),
            **locked,
        },
    )


def sections_of(document: Document) -> dict[str, Any]:
    """Return the tables of `Settings` that belong to no profile, by name."""
    contents, operator = document.contents, document.operator
    outbox, polling = _located(document, contents.outbox), contents.polling
    raised: dict[str, Any] = {
        kind.value: max(interval, polling.floor) for kind, interval in polling.intervals.items()
    }
    return {
        "polling": replace(polling, **raised),
        "rates": contents.rates,
        "overview": contents.overview,
        "alerts": contents.alerts,
        "display": display_of(document),
        "outbox": replace(
            outbox, audit_syslog=outbox.audit_syslog or operator.contents.audit_syslog
        ),
        "lock": operator.lock(contents.lock),
        "cache": contents.cache,
        "webhooks": _webhooks(document),
    }


def _profile(document: Document, name: str, table: ProfileTable) -> Profile:
    """Return a profile with the operator's restrictions.

    Raises:
        ConfigError: the operator does not allow its service, a client key has no certificate, or
            a proxy is set for plain http.
    """
    operator = document.operator.contents
    if operator.base_urls is not None and table.base_url not in operator.base_urls:
        place = document.operator.origin(("base_urls",))
        message = f"is not allowed on this machine ({place})"
        remedy = f"Allowed here: {', '.join(operator.base_urls) or 'none'}."
        raise document.error(("profiles", name, "base_url"), message, remedy)
    if table.client_key_file is not None and table.client_cert_file is None:
        key = ("profiles", name, "client_key_file")
        raise document.error(key, "has no certificate", "Set client_cert_file too.")
    if table.proxy is not None and not table.base_url.startswith("https:"):
        key = ("profiles", name, "proxy")
        message = "is for https, and base_url is plain http to this machine"
        raise document.error(key, message, "Leave it out.")
    limits = operator.limits
    profile = Profile(**table.entries(), name=name, file=document.path)
    confirmed = stricter(table.confirm_above, limits.confirm_above)
    return replace(
        _located(document, profile),
        read_only=table.read_only or operator.read_only,
        # Without a limit of one's own every amount is typed.
        confirm_above={code: confirmed[code] for code in table.confirm_above},
        refuse_above=stricter(table.refuse_above, limits.refuse_above),
        always_typed_above=limits.confirm_above,
        recipients=document.operator.recipients(table.recipients),
    )


def _located(document: Document, table: T) -> T:
    """Return a table whose paths are relative to the configuration file no longer."""
    folder = document.path.absolute().parent if document.path else Path.cwd()
    paths = {name: at for name, at in table.entries().items() if isinstance(at, Path)}
    return replace(table, **{name: folder / at.expanduser() for name, at in paths.items()})


def display_of(document: Document) -> Display:
    display = document.contents.display
    themes = themes_beside(document.path)
    if display.theme not in themes.names:
        remedy = themes.remedy(display.theme)
        raise document.error(("display", "theme"), "names no theme", remedy)
    themes.file(display.theme)
    return display


def _webhooks(document: Document) -> WebhookSettings:
    webhooks = _located(document, document.contents.webhooks)
    if webhooks.enabled and webhooks.path is None:
        remedy = "Write /hooks/ and a random text, as from `openssl rand -hex 16`."
        raise document.error(("webhooks", "path"), "is missing, and enabled is true", remedy)
    signed = webhooks.secret_command or webhooks.secret_file
    if not is_loopback(webhooks.host) and not signed:
        remedy = "Set secret_command or secret_file, or listen on 127.0.0.1."
        message = "lets others on the network send events, and no secret is set to verify them"
        raise document.error(("webhooks", "host"), message, remedy)
    return webhooks


def track_of(document: Document, profile: str) -> Tracked:
    """Return the tracked identifiers: those in the file and those added by `paytui track`."""
    added: Mapping[str, Tracked] = {}
    if document.path is not None:
        added = saved_files.read_tracked(saved_files.tracked_path(document.path), document.check)
    return saved_files.merge_tracked(document.contents.track.identifiers, added.get(profile, {}))


def _profile_origins(
    document: Document, name: str, table: ProfileTable
) -> Iterator[tuple[str, str]]:
    """Yield the source of each entry and of each currency's limit."""
    prefix, operator = ("profiles", name), document.operator
    keys: list[KeyPath] = [(key,) for key in table.names()]
    for key in (*keys, *(("confirm_above", currency) for currency in table.confirm_above)):
        origin = document.origin((*prefix, *key))
        if operator.contents.limits.entries().get(".".join(key)):
            origin = f"{origin}; {operator.origin(('limits', *key))}"
        yield ".".join((*prefix, *key)), origin


def section_origins(document: Document, sections: Mapping[str, Table]) -> Iterator[tuple[str, str]]:
    """Yield the source of each entry of sections by dotted key."""
    written = document.contents
    for section, table in {**sections, "columns": written.columns}.items():
        for name, value in table.entries().items():
            origin = document.origin((section, name))
            if section == "polling" and value != getattr(written.polling, name):
                origin += ", raised to the floor"
            yield f"{section}.{name}", origin
    yield from document.operator.locked_for_all(written)


def keymap_of(document: Document) -> Keymap:
    entries: dict[str, KeyPath] = {}
    own: dict[str, tuple[str, ...]] = {}
    for entry, value in written_keys(("keys",), document.contents.keys):
        name = ".".join(entry[1:])
        entries[name] = entry
        try:
            own[name] = parse_keys(name, value)
        except InvalidValue as error:
            raise document.error(entry, error.message, error.remedy) from None
    keys = keymap(document.contents.display.key_scheme, own)
    for place, key, ids in key_conflicts(keys) if own else ():
        lines = {name: document.lines.get(entry, 0) for name, entry in entries.items()}
        lower, upper = sorted(ids, key=lambda name: lines.get(name, -1), reverse=True)
        mine, theirs = (f"{name} ({CATALOGUE[name].does})" for name in (lower, upper))
        message = f"gives {shown_key(key)} to {mine}, and {theirs} has it too: {place}"
        remedy = "Give one of them another key; `paytui keys` lists them all."
        raise document.error(entries[lower], message, remedy)
    return keys


def written_keys(key: KeyPath, tree: Mapping[str, object]) -> Iterator[tuple[KeyPath, object]]:
    """Yield the entries of a table and its subtables: `list.sort` is `sort` within `list`."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from written_keys((*key, name), value)
        else:
            yield (*key, name), value


class RuntimeSettings:
    """Settings that the user changes on screen, validated like the file and saved.

    Without a configuration file, as in the demo, changes last until the dashboard ends.
    """

    def __init__(self, settings: Settings) -> None:
        self._path = settings.profile.file
        self._kept: saved_files.Tree = {}

    @property
    def lasting(self) -> bool:
        """Return True if changes outlive the dashboard."""
        return self._path is not None

    def set_value(self, settings: Settings, key: KeyPath, value: object) -> Settings:
        """Return the settings with a value at a key: `("display", "theme")`.

        Raise ConfigError if the value is invalid, the operator locks the key, or saving fails.
        """
        place = ".".join(key)
        if place in settings.operator_locked:
            message = f"is not yours to change: {settings.origins[place]}"
            raise ConfigError(None, place, message, "Ask the operator of this machine.")
        return self._change(settings, lambda tree: saved_files.with_value(tree, key, value))

    def reset(self, settings: Settings, key: KeyPath) -> Settings:
        """Return the settings with a key reset to the user's file or the default.

        Raise ConfigError if it cannot be saved.
        """
        return self._change(settings, lambda tree: saved_files.without_value(tree, key))

    def _change(
        self, settings: Settings, change: Callable[[saved_files.Tree], saved_files.Tree]
    ) -> Settings:
        profile, path = settings.profile, self._path
        if path is None:
            kept = change(self._kept)
            # With just enough of a profile to be valid.
            table = {"base_url": profile.base_url, "client_id": profile.client_id}
            tree: saved_files.Tree = {"profiles": {profile.name: {**table, "live": profile.live}}}
            contents = validated(ConfigFile, Path("chosen"), saved_files.merged(tree, kept))
            chosen = settings_of(Document(None, contents, tree, {}, kept), profile.name)
            self._kept = kept
        else:
            # Read again: another dashboard may have saved a change meanwhile.
            kept = change(saved_files.read_saved(saved_files.saved_path(path)))
            chosen = settings_of(with_saved(path, kept), profile.name)
            saved_files.write_saved(saved_files.saved_path(path), kept)
        return replace(
            settings,
            profile=replace(profile, confirm_above=chosen.profile.confirm_above),
            polling=chosen.polling,
            display=chosen.display,
            keys=chosen.keys,
            operator_locked=settings.operator_locked | chosen.operator_locked,
            views=chosen.views,
            origins={**settings.origins, **chosen.origins},
        )


class TrackedIdentifiersReader:
    """A reader of a profile's tracked identifiers that re-reads only changed files.

    If a file cannot be used, the last valid identifiers stay.
    """

    def __init__(self, settings: Settings, check: Validator = validate) -> None:
        self._profile = settings.profile
        self._check = check
        self._known = TrackedIdentifiers(settings.track)
        self._seen: list[Signature | None] = []

    def __call__(self) -> TrackedIdentifiers:
        """Return the current identifiers."""
        path = self._profile.file
        if path is None:
            return self._known
        now = [signature(path), signature(saved_files.tracked_path(path))]
        if now != self._seen:
            self._seen = now
            try:
                found = track_of(read_document(path, self._check), self._profile.name)
                self._known = TrackedIdentifiers(found)
            except ConfigError as error:
                file = [] if error.file is None else [error.file.name]
                line = [] if error.line is None else [f"line {error.line}"]
                key = [error.key] if error.key else []
                what = " ".join([*file, *line, *key, error.message])
                problem = Problem("read tracked objects", what, remedy=error.remedy)
                self._known = replace(self._known, problem=problem)
        return self._known
