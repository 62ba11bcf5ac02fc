"""Settings changed on screen are kept beside the user's file, which stays unchanged."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from paytui.config.load import RuntimeSettings
from paytui.config.settings import Profile, Settings, View
from paytui.config.validation import ConfigError
from paytui.domain.models import Kind
from tests.config.loader import MINIMAL, Loader

THEIRS = f"""\
# My own words.
{MINIMAL}confirm_above = {{ AUD = "1000" }}  # ask me early
[display]
theme = "light"
"""


@pytest.fixture
def saved(load: Loader) -> Path:
    return load.path.with_name("config.saved.toml")


class TestChoosing:
    def test_a_choice_holds_at_once_and_after_a_restart(self, load: Loader) -> None:
        settings = load(THEIRS)
        chosen = RuntimeSettings(settings).set_value(settings, ("display", "theme"), "dark")
        assert (settings.display.theme, chosen.display.theme) == ("light", "dark")
        again = load(THEIRS)
        assert again.display.theme == "dark"
        assert again.origins["display.theme"] == "config.saved.toml"

    def test_the_users_file_stays_as_it_is_to_the_byte(self, load: Loader, saved: Path) -> None:
        settings = load(THEIRS)
        RuntimeSettings(settings).set_value(settings, ("polling", "wallets"), "30s")
        assert load.path.read_bytes() == THEIRS.encode()
        assert saved.stat().st_mode & 0o777 == 0o600

    def test_choices_add_up_also_those_of_another_dashboard(self, load: Loader) -> None:
        settings = load(THEIRS)
        RuntimeSettings(settings).set_value(settings, ("polling", "wallets"), "30s")
        limit = ("profiles", "acme", "confirm_above", "USD")
        both = RuntimeSettings(settings).set_value(settings, limit, "250")
        assert both.polling.intervals[Kind.WALLETS] == timedelta(seconds=30)
        assert both.profile.confirm_above == {"AUD": Decimal(1000), "USD": Decimal(250)}

    def test_what_is_taken_back_is_as_the_users_file_says_again(
        self, load: Loader, saved: Path
    ) -> None:
        settings = load(THEIRS)
        choices = RuntimeSettings(settings)
        chosen = choices.set_value(settings, ("display", "theme"), "dark")
        back = choices.reset(chosen, ("display", "theme"))
        assert back.display.theme == "light"
        assert back.origins["display.theme"] == "config.toml:7"
        assert "theme" not in saved.read_text()

    @pytest.mark.parametrize(
        ("key", "value", "said"),
        [
            (("polling", "wallets"), "never", "must be a duration"),
            (("polling", "floor"), "0.1s", "at least 1 s"),
            (("display", "theme"), "puce", "names no theme"),
            (("profiles", "acme", "confirm_above", "AUD"), "-1", "must be an amount"),
        ],
    )
    def test_what_no_file_could_say_is_refused_and_changes_nothing(
        self, load: Loader, saved: Path, key: tuple[str, ...], value: str, said: str
    ) -> None:
        settings = load(THEIRS)
        choices = RuntimeSettings(settings)
        choices.set_value(settings, ("display", "time_zone"), "local")
        before = saved.read_bytes()
        with pytest.raises(ConfigError, match=said):
            choices.set_value(settings, key, value)
        assert saved.read_bytes() == before
        assert load(THEIRS).display.time_zone == "local"

    def test_without_a_file_a_choice_holds_until_the_end(self) -> None:
        profile = Profile(name="demo", base_url="http://127.0.0.1:1", client_id="x", live=False)
        settings = Settings(profile=profile)
        choices = RuntimeSettings(settings)
        chosen = choices.set_value(settings, ("display", "theme"), "light")
        chosen = choices.set_value(chosen, ("polling", "trades"), 9)
        assert not choices.lasting
        assert chosen.display.theme == "light"
        assert chosen.polling.intervals[Kind.TRADES] == timedelta(seconds=9)
        assert chosen.profile == profile


class TestReading:
    @pytest.mark.parametrize(
        "text",
        [
            "[profiles.acme]\nbase_url = 'https://evil.example'\n",
            "[outbox]\nfolder = '/tmp'\n",
            "display = 3\n",
            "= nonsense",
        ],
    )
    def test_what_paytui_would_not_write_is_refused_by_name(
        self, load: Loader, saved: Path, text: str
    ) -> None:
        saved.write_text(text)
        error = load.refusal(MINIMAL)
        assert error.file == saved
        assert "move it away" in error.remedy

    def test_what_was_chosen_for_a_profile_that_is_gone_is_left_alone(
        self, load: Loader, saved: Path
    ) -> None:
        saved.write_text("[profiles.old.confirm_above]\nAUD = '5'\n")
        assert load(MINIMAL).profile.confirm_above == {}
        assert "old" in saved.read_text()


class TestViews:
    def test_a_view_has_what_it_names_and_leaves_the_rest(self, load: Loader) -> None:
        view = (
            '[views.payments."held ones"]\nfilter = "status:held"\nsort = ["state", "-created"]\n'
        )
        assert load(MINIMAL + view).views == {
            "payments": {
                "held ones": View(filter="status:held", sort=(("state", False), ("created", True)))
            }
        }

    @pytest.mark.parametrize(
        ("view", "key", "said"),
        [
            ('[views.payments.x]\nsort = ["-bought"]\n', "views.payments", "names no column"),
            ('[views.payments.x]\ncolumns = ["amuont"]\n', "views.payments", "amount"),
            ('[views.payment.x]\nfilter = "a"\n', "views.payment", "Did you mean payments?"),
            ("[views.trades.x]\nfitler = 'a'\n", "views.trades.x.fitler", "not a key"),
        ],
    )
    def test_a_view_of_what_there_is_not_is_refused(
        self, load: Loader, view: str, key: str, said: str
    ) -> None:
        error = load.refusal(MINIMAL + view)
        assert error.key == key
        assert said in str(error)
