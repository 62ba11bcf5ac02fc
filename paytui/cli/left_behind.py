"""Outboxes that a renamed profile or a moved folder has left behind with something open in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from paytui.config.settings import Profile, Settings
from paytui.outbox.paths import SUFFIX, outbox_path


def left_behind(settings: Settings) -> list[str]:
    """A line for each, where this profile has no outbox of its own yet; else none is looked for.

    What is open there is in no list of this profile: it would begin as if nothing had been sent.
    """
    profile, folder = settings.profile, settings.outbox.folder
    ours = outbox_path(profile.name, folder)
    if ours.exists():
        return []
    folders = dict.fromkeys((ours.parent, outbox_path(profile.name, None).parent))
    found = (path for place in folders for path in sorted(place.glob(f"*{SUFFIX}")))
    return [words for path in found for words in _words(path, profile)]


def _words(path: Path, profile: Profile) -> Iterator[str]:
    if not (count := _open_for(path, profile)):
        return
    what = "1 intent is" if count == 1 else f"{count} intents are"
    name = path.name.removesuffix(SUFFIX)
    yield (
        f"{what} open in {path}, for this service and client. It is settled from a profile of the "
        f'name "{name}" with outbox.folder set to {path.parent}.'
    )


def _open_for(path: Path, profile: Profile) -> int:
    """How many intents of a file are open that this client may have sent to this service."""
    from paytui.outbox.entry import standing
    from paytui.outbox.errors import OutboxError
    from paytui.outbox.history import History

    with suppress(OutboxError):
        history = History(path)
        try:
            return sum(
                standing(recorded.events).open
                and recorded.entry.base_url == profile.base_url
                and recorded.entry.client_id == profile.client_id
                for recorded in history.read()
            )
        finally:
            history.close()
    return 0
