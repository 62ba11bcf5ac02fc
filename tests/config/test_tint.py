"""The colour of a profile in a configuration."""

from __future__ import annotations

import pytest

from paytui.config.validation import ConfigError
from tests.config.loader import MINIMAL, Loader


def test_a_configuration_gives_a_profile_its_colour(load: Loader) -> None:
    assert load(f'{MINIMAL}tint = "#802020"\n').profile.tint == "#802020"
    assert load(f'{MINIMAL}tint = "closing"\n').profile.tint == "closing"
    assert load(MINIMAL).profile.tint is None


@pytest.mark.parametrize("tint", ["red", "#80202", "802020"])
def test_what_is_no_colour_is_refused(load: Loader, tint: str) -> None:
    with pytest.raises(ConfigError, match=r"profiles\.acme\.tint: is not a colour") as caught:
        load(f'{MINIMAL}tint = "{tint}"\n')
    assert 'Write it as "#802020"' in str(caught.value)
