"""What is chosen while the dashboard runs: kept in our own file, and taken into the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from paytui.config.document import Document, check_tree, with_saved
from paytui.config.errors import ConfigError
from paytui.config.lines import Key
from paytui.config.load import settings_of
from paytui.config.saved import (
    Tree,
    over,
    read_saved,
    saved_path,
    with_value,
    without_value,
    write_saved,
)
from paytui.config.settings import Settings


class Choices:
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

    def choose(self, settings: Settings, key: Key, value: object) -> Settings:
        """The settings with a value at a key: `("display", "theme")`.

        Raises:
            ConfigError: no configuration could say that, the operator has set it, or it cannot be
                written.
        """
        _refuse_held(settings, key)
        return self._change(settings, lambda tree: with_value(tree, key, value))

    def take_back(self, settings: Settings, key: Key) -> Settings:
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


def _refuse_held(settings: Settings, key: Key) -> None:
    place = ".".join(key)
    if place in settings.held:
        message = f"is not yours to change: {settings.origins[place]}"
        raise ConfigError(None, place, message, "Ask the operator of this machine.")


def _of_run(settings: Settings, kept: Mapping[str, object]) -> Document:
    """A document of what was chosen, and of as much of a profile as makes it one."""
    profile = settings.profile
    table = {"base_url": profile.base_url, "client_id": profile.client_id, "live": profile.live}
    tree: Tree = {"profiles": {profile.name: table}}
    return Document(None, check_tree(Path("chosen"), over(tree, kept)), tree, {}, kept)


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
