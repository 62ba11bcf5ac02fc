"""The key card, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.cli.columns import columns
from paytui.config.keys import CATALOGUE, GROUPS, PLACES, Keymap, pressed, shown_key, shown_keys


def card_lines(scheme: str, keys: Keymap) -> Iterator[str]:
    """Lines of 80 cells at the most: by what they are about, the keys, what they do, their ids."""
    yield f"Keys of paytui, scheme {scheme}"
    rows = [(f"  {shown_keys(keys[name])}", key.does, name) for name, key in CATALOGUE.items()]
    lines = iter(columns(rows, "<<<"))
    for title, group in GROUPS.items():
        yield f"\n{title}"
        for _ in group:
            yield next(lines)


def card_json(scheme: str, keys: Keymap) -> dict[str, object]:
    """The scheme; of each place the groups that are about there; of each group its keys."""
    return {
        "scheme": scheme,
        "places": {place: list(groups) for place, groups in PLACES.items()},
        "groups": {
            title: [
                {
                    "id": name,
                    "keys": [shown_key(k) for k in pressed(keys[name])],
                    "does": key.does,
                }
                for name, key in group.items()
            ]
            for title, group in GROUPS.items()
        },
    }
