"""What is chosen while the dashboard runs: kept in our own file, and taken into the settings."""

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
    """Judges what is chosen as the file's own entries are judged, and keeps it.

    Without a configuration of the user's, as in the demo, it is kept until the dashboard ends.
    """

    def __init__(self, settings: Settings) -> None:
        self._path = settings.profile.file
        self._kept: Tree = {}

    @property
    def lasting(self) -> bool:
        """Whether what is chosen outlives the dashboard."""
        return self._path is not None

    def choose(self, settings: Settings, key: KeyPath, value: object) -> Settings:
        """The settings with a value at a key: `("display", "theme")`.

        Raises:
            ConfigError: no configuration could say that, the operator has set it, or it cannot be
                written.
        """
        _refuse_held(settings, key)
        return self._change(settings, lambda tree: with_value(tree, key, value))

    def take_back(self, settings: Settings, key: KeyPath) -> Settings:
        """The settings with what the user's own file, or nobody, says at a key.

        Raises:
            ConfigError: it cannot be written.
        """
        return self._change(settings, lambda tree: without_value(tree, key))

    def _change(self, settings: Settings, change: Callable[[Tree], Tree]) -> Settings:
        name = settings.profile.name
        if self._path is None:
            kept = change(self._kept)
            chosen = settings_of(_of_run(settings, kept), name)
            self._kept = kept
            return _adopted(settings, chosen)
        own = saved_path(self._path)
        # Read anew: another dashboard may have chosen something meanwhile.
        kept = change(read_saved(own))
        chosen = settings_of(with_saved(self._path, kept), name)
        write_saved(own, kept)
        return _adopted(settings, chosen)


def _refuse_held(settings: Settings, key: KeyPath) -> None:
    place = ".".join(key)
    if place in settings.held:
        message = f"is not yours to change: {settings.origins[place]}"
        raise ConfigError(None, place, message, "Ask the operator of this machine.")


def _of_run(settings: Settings, kept: Mapping[str, object]) -> Document:
    """A document of what was chosen, and of as much of a profile as makes it one."""
    profile = settings.profile
    table = {"base_url": profile.base_url, "client_id": profile.client_id, "live": profile.live}
    tree: Tree = {"profiles": {profile.name: table}}
    return Document(None, check_tree(Path("chosen"), merged(tree, kept)), tree, {}, kept)


def _adopted(settings: Settings, chosen: Settings) -> Settings:
    """The settings, with what can be chosen while the dashboard runs taken from others."""
    return replace(
        settings,
        profile=replace(settings.profile, confirm_above=chosen.profile.confirm_above),
        polling=chosen.polling,
        display=chosen.display,
        keys=chosen.keys,
        held=settings.held | chosen.held,
        views=chosen.views,
        origins={**settings.origins, **chosen.origins},
    )


# The identifiers that are known of, as the files name them now.

FileStamp = tuple[int, int, int]
"""What of a file differs when it was written anew: time, size, inode."""


@dataclass(frozen=True, slots=True)
class TrackedIdentifiers:
    """The tracked identifiers.

    Attributes:
        identifiers: by kind.
        named: what is said of some of them here, by kind and identifier.
        problem: why this is what they named before, where one of them cannot be used now.
    """

    identifiers: Tracked = field(default_factory=dict)
    problem: Problem | None = None
    named: Mapping[Kind, Mapping[str, Record]] = field(default_factory=dict)


class TrackedIdentifiersReader:
    """The tracked identifiers of a profile; a call reads a file only if it changed.

    A file that cannot be used leaves what was known before.
    """

    def __init__(self, settings: Settings, check: Validator = validate) -> None:
        self._profile = settings.profile
        self._check = check
        self._known = TrackedIdentifiers(settings.track)
        self._seen: list[FileStamp | None] | None = None

    def __call__(self) -> TrackedIdentifiers:
        """Return the identifiers known now."""
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
