"""On a terminal that answers queries, keys typed before the answer confirm nothing."""

from __future__ import annotations

import pytest
from textual import events
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from paytui.tui.app import PaytuiApp
from paytui.tui.terminal.confirm_arming import TerminalQueries
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import AnsweringApp, Dashboard, settings_of, shows, until
from tests.tui.ticket.trading import fill, to_confirm

TYPED = {False: ["enter"], True: [*"250000", "enter"]}
"""Keys that confirm a quarter of a million, by whether real money moves."""

STARTED, PAINTED = 1, 2
"""The numbers of queries to a terminal: at the start, and after a confirm step is painted."""


@pytest.fixture(params=[False, True], ids=["demo", "live"])
def trading(request: pytest.FixtureRequest) -> Dashboard:
    return trading_desk(live=request.param)


def trading_desk(*, live: bool) -> Dashboard:
    ui = Dashboard(settings=settings_of(live=live), answers=False)
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    return ui


@pytest.mark.slow
def test_keys_that_come_just_before_the_answer_confirm_nothing(trading: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        keys = TYPED[ui.settings.profile.live]
        await answers(pilot, STARTED)
        await to_confirm(pilot)
        for key in keys:
            type_unseen(pilot, key)
        await answers(pilot, PAINTED)
        assert ui.port.submitted == []
        await pilot.press(*keys)
        await shows(pilot, "Trade · outcome")
        assert len(ui.port.submitted) == 1

    trading.play(scenario)


@pytest.mark.slow
def test_a_key_behind_the_answer_confirms_though_both_come_at_once() -> None:
    """As over a slow link, on which a packet was late."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, AnsweringApp)
        await answers(pilot, STARTED)
        await to_confirm(pilot)
        app.answer()
        type_unseen(pilot, "enter")
        await shows(pilot, "Trade · outcome")
        assert len(ui.port.submitted) == 1

    trading_desk(live=False).play(scenario)


@pytest.mark.slow
def test_a_key_between_two_answers_confirms_nothing_that_the_second_is_about() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, AnsweringApp)
        await answers(pilot, STARTED)
        await to_confirm(pilot)
        await pilot.press("?")
        await pilot.press("escape")
        app.answer(1)
        type_unseen(pilot, "enter")
        app.answer()
        await until(pilot, lambda: app.ui.questions.is_heard(PAINTED + 1))
        assert ui.port.submitted == []
        await pilot.press("enter")
        await shows(pilot, "Trade · outcome")

    trading_desk(live=False).play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(("away", "back"), [("6", "f3"), ("?", "escape")], ids=["draft", "dialog"])
def test_a_review_that_one_comes_back_to_is_asked_about_once_it_is_painted(
    monkeypatch: pytest.MonkeyPatch, away: str, back: str
) -> None:
    """Whatever else happens while the painting is held back."""
    happened: list[str] = []
    display, ask, hold = App._display, TerminalQueries.ask, PaytuiApp.delay_update

    def displayed(app: App[None], screen: Screen[object], painted: object) -> None:
        if isinstance(painted, CompositorUpdate) and not app._batch_count:
            happened.append("painted")
        display(app, screen, None)

    def asked(queries: TerminalQueries, now: float, width: int, height: int) -> tuple[int, str]:
        happened.append("asked")
        return ask(queries, now, width, height)

    def held(app: PaytuiApp, delay: float = 0.05) -> None:
        hold(app, delay)
        app.call_next(app._tick)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await answers(pilot, STARTED)
        await to_confirm(pilot)
        await answers(pilot, PAINTED)
        await pilot.press(away)
        monkeypatch.setattr(App, "_display", displayed)
        monkeypatch.setattr(TerminalQueries, "ask", asked)
        monkeypatch.setattr(PaytuiApp, "delay_update", held)
        await pilot.press(back)
        await until(pilot, lambda: "asked" in happened)
        assert happened[0] == "painted"

    trading_desk(live=False).play(scenario)


def test_a_query_waits_until_painting_is_held_back_no_more() -> None:
    asked: list[int] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, PaytuiApp)
        with app.batch_update():
            app._queries.send(asked.append)
            await pilot.pause()
            assert asked == []
        await until(pilot, lambda: bool(asked))

    trading_desk(live=False).play(scenario)


def type_unseen(pilot: Pilot[None], key: str) -> None:
    """Have a key come in, and wait for nothing that it does."""
    pilot.app.post_message(events.Key(key, None if len(key) > 1 else key))


async def answers(pilot: Pilot[None], question: int) -> None:
    """The terminal answers a question, and that has arrived."""
    app = pilot.app
    assert isinstance(app, AnsweringApp)
    app.answer()
    await until(pilot, lambda: app.ui.questions.is_heard(question))
