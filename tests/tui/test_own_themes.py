"""The user's own themes: found beside the configuration, applied as they are saved."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from threading import Event, current_thread, main_thread

import pytest
from textual.color import Color
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip

from paytui.config.load import load_settings
from paytui.config.theme_files import ThemeFiles, themes_beside
from paytui.config.validation import ConfigError
from paytui.platform.files import shipped_path
from paytui.tui.table.data_list import DataList
from tests.config.loader import MINIMAL
from tests.support.deadline import eventually
from tests.tui.dashboard import Dashboard, shows, tells, the_app, tick, until

DARK = (shipped_path("themes") / "dark.toml").read_text()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration with an empty folder for themes beside it."""
    path = tmp_path / "config.toml"
    path.write_text(f'{MINIMAL}[display]\ntheme = "mine"\n')
    (tmp_path / "themes").mkdir()
    return path


@pytest.fixture
def mine(config: Path) -> Path:
    """A theme of one's own, which is the one that is chosen."""
    file = config.parent / "themes" / "mine.toml"
    file.write_text(DARK)
    return file


@pytest.fixture
def own(ui: Dashboard, config: Path, mine: Path) -> Dashboard:
    """A dashboard in it."""
    assert mine.exists()
    ui.settings = load_settings(config, {})
    return ui


def save(theme: Path, background: str) -> None:
    """Save a theme as an editor does."""
    theme.write_text(DARK.replace('background = "#0e1318"', f'background = "{background}"'))


def mute(theme: Path, colour: str) -> None:
    """The same for words that say less."""
    theme.write_text(DARK.replace('muted = "#b2bdc8"', f'muted = "{colour}"'))


def remove(theme: Path) -> None:
    """Remove a theme, as some editors do before they save."""
    theme.unlink()


def ground(pilot: Pilot[None]) -> Color | None:
    """Return the background of the screen."""
    return pilot.app.screen.styles.background


@pytest.mark.slow
def test_it_can_be_chosen_as_one_that_is_shipped(own: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert pilot.app.theme == "mine"
        assert {"mine", "dark", "monochrome"} <= set(await the_app(pilot).theming.names())

    own.play(scenario)


def test_what_is_saved_is_seen_at_once(own: Dashboard, mine: Path) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert ground(pilot) == Color.parse("#0e1318")
        save(mine, "#000000")
        await tick(pilot)
        await until(pilot, lambda: ground(pilot) == Color.parse("#000000"))

    own.play(scenario)


def test_a_mistake_is_told_by_its_key_and_what_was_shown_stays_until_it_is_mended(
    own: Dashboard, mine: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        save(mine, "night")
        await tick(pilot)
        await tells(pilot, "colours.background: must be a colour as #rrggbb")
        assert ground(pilot) == Color.parse("#0e1318")
        remove(mine)
        await tick(pilot)
        assert ground(pilot) == Color.parse("#0e1318")
        save(mine, "#101010")
        await tick(pilot)
        await until(pilot, lambda: ground(pilot) == Color.parse("#101010"))

    own.play(scenario)


def test_one_that_was_chosen_for_a_while_is_followed_as_well(own: Dashboard, mine: Path) -> None:
    own.settings = replace(own.settings, display=replace(own.settings.display, theme="dark"))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot).use_theme("mine")
        save(mine, "#000000")
        await tick(pilot)
        await until(pilot, lambda: ground(pilot) == Color.parse("#000000"))
        the_app(pilot).use_theme("light")
        await until(pilot, lambda: pilot.app.theme == "light")
        save(mine, "#202020")
        await tick(pilot)
        await shows(pilot, "Balances")
        assert pilot.app.theme == "light"

    own.play(scenario)


def test_a_look_that_comes_while_one_is_under_way_loses_nothing(own: Dashboard, mine: Path) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app = the_app(pilot)
        await until(pilot, lambda: not app.theming._is_reloading)  # a look of each second
        before = app.theming._loaded.watch._seen
        save(mine, "#000000")
        app.theming.reload()
        await asyncio.sleep(0)  # it has begun, in its thread
        eventually(lambda: app.theming._loaded.watch._seen != before)
        app.theming.reload()
        await until(pilot, lambda: ground(pilot) == Color.parse("#000000"))

    own.play(scenario)


@dataclass(frozen=True, slots=True)
class FleetingFiles(ThemeFiles):
    """Saved by an editor that removes a file first: seen when read, but not when looked for."""

    def is_own(self, name: str) -> bool:  # noqa: ARG002  (the name of any)
        return False


def test_one_that_was_gone_for_a_moment_is_followed(
    own: Dashboard, mine: Path, config: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot).theming._themes = FleetingFiles(config.parent / "themes")
        save(mine, "#000000")
        await tick(pilot)
        await until(pilot, lambda: ground(pilot) == Color.parse("#000000"))
        save(mine, "#202020")
        await tick(pilot)
        await until(pilot, lambda: ground(pilot) == Color.parse("#202020"))

    own.play(scenario)


@dataclass(frozen=True, slots=True)
class HungFiles(ThemeFiles):
    """On a network that does not answer; the screens never ask for them."""

    asked: Event = field(default_factory=Event)
    answers: Event = field(default_factory=Event)
    answered: Event = field(default_factory=Event)

    @property
    def names(self) -> list[str]:
        self._hang()
        return ThemeFiles(self.own).names

    def file(self, name: str) -> Path:
        self._hang()
        return ThemeFiles.file(self, name)

    def _hang(self) -> None:
        assert current_thread() is not main_thread()
        self.asked.set()
        self.answers.wait(20)
        self.answered.set()


def test_a_folder_that_hangs_holds_up_neither_keys_nor_the_end(
    own: Dashboard, mine: Path, config: Path
) -> None:
    files = HungFiles(config.parent / "themes")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot).theming._themes = files
        save(mine, "#000000")
        await tick(pilot)
        await until(pilot, files.asked.is_set)
        await tick(pilot)
        await pilot.press("3")
        await shows(pilot, "4 wallets")

    own.play(scenario)
    assert not files.answered.is_set()
    files.answers.set()


def test_a_folder_that_hangs_holds_up_no_key_while_one_is_chosen(
    own: Dashboard, mine: Path, config: Path
) -> None:
    mine.with_name("other.toml").write_text(DARK)
    files = HungFiles(config.parent / "themes")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app = the_app(pilot)
        app.theming._themes = files
        app.use_theme("other")
        await until(pilot, files.asked.is_set)
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        assert app.theme == "mine"
        files.answers.set()
        await until(pilot, lambda: app.theme == "other")

    own.play(scenario)


@pytest.mark.slow
def test_of_two_that_are_chosen_at_once_the_newest_is_put_on(own: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot).use_theme("slate")
        the_app(pilot).use_theme("light")
        await until(pilot, lambda: pilot.app.theme == "light")
        await tick(pilot)
        assert pilot.app.theme == "light"

    own.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["on view", "elsewhere"])
def test_one_colour_that_is_written_anew_is_nowhere_as_it_was(
    own: Dashboard, mine: Path, place: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        if place == "elsewhere":
            await pilot.press("1")
            await shows(pilot, "Balances")
        mute(mine, "#12ab34")
        await tick(pilot)
        await until(pilot, lambda: pilot.app.current_theme.variables["muted"] == "#12ab34")
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        assert "#12ab34" in colours_of_words(pilot)
        assert "#b2bdc8" not in colours_of_words(pilot)

    own.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("over", "place"),
    [("help", "on view"), ("settings", "elsewhere"), ("palette", "elsewhere")],
)
def test_one_that_is_written_anew_below_another_screen_is_seen_once_that_is_left(
    own: Dashboard, mine: Path, over: str, place: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        page = pilot.app.screen
        await pilot.press({"help": "question_mark", "settings": "comma", "palette": "colon"}[over])
        await until(pilot, lambda: pilot.app.screen is not page)
        if place == "elsewhere":
            await pilot.app.switch_mode("overview")
        mute(mine, "#12ab34")
        await tick(pilot)
        await until(pilot, lambda: pilot.app.current_theme.variables["muted"] == "#12ab34")
        await pilot.app.switch_mode("wallets")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is page)
        await until(pilot, lambda: "#12ab34" in colours_of_words(pilot))
        await until(pilot, lambda: "#b2bdc8" not in colours_of_words(pilot))

    own.play(scenario)


@pytest.mark.slow
def test_nothing_is_painted_of_a_screen_that_another_hides(
    own: Dashboard, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[DataList[str, object]] = []
    render_lines = DataList.render_lines

    def noted(self: DataList[str, object], crop: Region) -> list[Strip]:
        rendered.append(self)
        return render_lines(self, crop)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        hidden = set(pilot.app.screen.query(DataList))
        await pilot.press("comma")
        await shows(pilot, "Settings")
        monkeypatch.setattr(DataList, "render_lines", noted)
        mute(mine, "#12ab34")
        await tick(pilot)
        await until(pilot, lambda: "#12ab34" in colours_of_words(pilot))
        await pilot.pause()
        assert rendered
        assert hidden.isdisjoint(rendered)

    own.play(scenario)


def colours_of_words(pilot: Pilot[None]) -> set[str]:
    """In which anything is written on the screen."""
    painted = chain.from_iterable(pilot.app.screen._compositor.render_strips())
    styles = [style for words, style, _ in painted if words.strip() and style is not None]
    return {style.color.get_truecolor().hex for style in styles if style.color is not None}


@pytest.mark.slow
def test_the_palette_opens_though_the_folder_hangs(own: Dashboard, config: Path) -> None:
    files = HungFiles(config.parent / "themes")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot).theming._themes = files
        await pilot.press(":")
        await until(pilot, files.asked.is_set)
        await shows(pilot, "Overview (1)")
        assert not files.answered.is_set()
        await pilot.press(*"theme")
        await shows(pilot, "Theme: dark")
        files.answers.set()

    own.play(scenario)


@pytest.mark.slow
def test_a_broken_one_is_not_put_on_from_the_palette(own: Dashboard, config: Path) -> None:
    (config.parent / "themes" / "other.toml").write_text("dark = [")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        the_app(pilot).use_theme("other")
        await tells(pilot, "is not valid TOML")
        assert pilot.app.theme == "mine"

    own.play(scenario)


def test_a_broken_one_that_the_configuration_names_is_refused_at_the_start(
    own: Dashboard, mine: Path
) -> None:
    mine.write_text(DARK.replace("ink =", "inc ="))
    with pytest.raises(ConfigError, match=r"mine\.toml:11: colours\.inc: is not known"):
        own.app()


def test_the_name_of_a_shipped_one_is_refused(config: Path, mine: Path) -> None:
    theirs = mine.with_name("light.toml")
    mine.rename(theirs)
    config.write_text(f'{MINIMAL}[display]\ntheme = "light"\n')
    with pytest.raises(ConfigError, match="has the name of a theme that is shipped") as caught:
        load_settings(config, {})
    assert str(theirs) in str(caught.value)


def test_a_misspelt_one_is_told_the_nearest(config: Path, mine: Path) -> None:
    mine.rename(mine.with_name("desk-at-night.toml"))
    config.write_text(f'{MINIMAL}[display]\ntheme = "desk-at-nigth"\n')
    with pytest.raises(
        ConfigError, match=r"config\.toml:5: display\.theme: names no theme"
    ) as told:
        load_settings(config, {})
    assert "Did you mean desk-at-night?" in str(told.value)


def test_only_files_that_can_be_named_are_themes(config: Path) -> None:
    folder = config.parent / "themes"
    for name in ("mine.toml", "mine.toml~", ".mine.toml.swp", "my theme.toml", "notes.txt"):
        (folder / name).write_text(DARK)
    shipped = set(themes_beside(None).names)
    assert set(themes_beside(config).names) - shipped == {"mine"}


def test_without_a_folder_there_are_those_that_are_shipped(tmp_path: Path) -> None:
    assert themes_beside(tmp_path / "config.toml").names == themes_beside(None).names
