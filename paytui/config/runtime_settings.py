"""Settings changed and identifiers tracked while the dashboard runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from paytui.config.document import Document, check_tree, read_document, with_saved
from paytui.config.errors import ConfigError
from paytui.config.load import settings_of, track_of
from paytui.config.saved import (
    Tree,
    merged,
    read_saved,
    saved_path,
    with_value,
    without_value,
    write_saved,
)
from paytui.config.settings import Settings
from paytui.config.tracked import Tracked, tracked_path
from paytui.config.validation import KeyPath, Validator, validate
from paytui.domain.models import Kind, Problem, Record


class RuntimeSettings:
    """Settings that the user changes on screen, validated like the file and saved.

    Without a configuration file, as in the demo, changes last until the dashboard ends.
    """

    def __init__(self, settings: Settings) -> None:
        self._path = settings.profile.file
        self._kept: Tree = {}

    @property
    def lasting(self) -> bool:
        """Return True if changes outlive the dashboard."""
        return self._path is not None

    def set_value(self, settings: Settings, key: KeyPath, value: object) -> Settings:
        """Return the settings with a value at a key: `("display", "theme")`.

        Raises:
            ConfigError: the value is invalid, the operator locks the key, or it cannot be saved.
        """
        _refuse_locked(settings, key)
        return self._change(settings, lambda tree: with_value(tree, key, value))

    def reset(self, settings: Settings, key: KeyPath) -> Settings:
        """Return the settings with a key reset to the user's file or the default.

        Raises:
            ConfigError: it cannot be saved.
        """
        return self._change(settings, lambda tree: without_value(tree, key))

    def _change(self, settings: Settings, change: Callable[[Tree], Tree]) -> Settings:
        name = settings.profile.name
        if self._path is None:
            kept = change(self._kept)
            chosen = settings_of(_unsaved_document(settings, kept), name)
            self._kept = kept
            return _with_changes(settings, chosen)
        own = saved_path(self._path)
        # Read again: another dashboard may have saved a change meanwhile.
        kept = change(read_saved(own))
        chosen = settings_of(with_saved(self._path, kept), name)
        write_saved(own, kept)
        return _with_changes(settings, chosen)


def _refuse_locked(settings: Settings, key: KeyPath) -> None:
    place = ".".join(key)
    if place in settings.operator_locked:
        message = f"is not yours to change: {settings.origins[place]}"
        raise ConfigError(None, place, message, "Ask the operator of this machine.")


def _unsaved_document(settings: Settings, kept: Mapping[str, object]) -> Document:
    """Return a document of the changes, with just enough of a profile to be valid."""
    profile = settings.profile
    table = {"base_url": profile.base_url, "client_id": profile.client_id, "live": profile.live}
    tree: Tree = {"profiles": {profile.name: table}}
    return Document(None, check_tree(Path("chosen"), merged(tree, kept)), tree, {}, kept)


def _with_changes(settings: Settings, chosen: Settings) -> Settings:
    """Return the settings with those that can change at run time taken from `chosen`."""
    return replace(
        settings,
        profile=replace(settings.profile, confirm_above=chosen.profile.confirm_above),
        polling=chosen.polling,
        display=chosen.display,
        keys=chosen.keys,
        operator_locked=settings.operator_locked | chosen.operator_locked,
        views=chosen.views,
        origins={**settings.origins, **chosen.origins},
    )


FileStamp = tuple[int, int, int]
"""A file's modification time, size and inode."""


@dataclass(frozen=True, slots=True)
class TrackedIdentifiers:
    """The tracked identifiers.

    Attributes:
        identifiers: by kind.
        problem: the reason why these are the last valid ones, if a file cannot be used now.
        named: known fields of some objects, by kind and identifier.
    """

    identifiers: Tracked = field(default_factory=dict)
    problem: Problem | None = None
    named: Mapping[Kind, Mapping[str, Record]] = field(default_factory=dict)


class TrackedIdentifiersReader:
    """A reader of a profile's tracked identifiers that re-reads only changed files.

    If a file cannot be used, the last valid identifiers stay.
    """

    def __init__(self, settings: Settings, check: Validator = validate) -> None:
        self._profile = settings.profile
        self._check = check
        self._known = TrackedIdentifiers(settings.track)
        self._seen: list[FileStamp | None] | None = None

    def __call__(self) -> TrackedIdentifiers:
        """Return the current identifiers."""
        path = self._profile.file
        if path is None:
            return self._known
        now = [_signature(path), _signature(tracked_path(path))]
        if now != self._seen:
            self._seen = now
            self._known = self._read(path)
        return self._known

    def _read(self, path: Path) -> TrackedIdentifiers:
        try:
            return TrackedIdentifiers(
                track_of(read_document(path, self._check), self._profile.name)
            )
        except ConfigError as error:
            return replace(self._known, problem=_problem(error))


def _problem(error: ConfigError) -> Problem:
    where = [] if error.file is None else [error.file.name]
    where += [] if error.line is None else [f"line {error.line}"]
    what = " ".join([*where, error.key, error.message] if error.key else [*where, error.message])
    return Problem("read what is tracked", what, remedy=error.remedy)


def _signature(path: Path) -> FileStamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
