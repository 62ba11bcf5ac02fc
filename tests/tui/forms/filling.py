"""A trader who fills in a form: a desk that may send, and its submissions."""

from __future__ import annotations

from collections.abc import Callable

from textual.pilot import Pilot

from paytui.domain.intent import SendPermission, Standing
from paytui.domain.models import FieldProblem, Problem
from paytui.tui.app import PaytuiApp
from paytui.tui.forms import form as forms
from paytui.tui.forms.declarations import form_ticket
from paytui.tui.forms.form import Form
from paytui.tui.ticket.model import Finding, Values
from paytui.tui.ticket.screen import TicketScreen
from paytui.tui.ui_context import UiContext
from tests.support.clock import NOON
from tests.support.intents import row_of
from tests.tui.book import account
from tests.tui.dashboard import Dashboard, shows


def filling() -> Dashboard:
    """A dashboard with two accounts, from which things are sent."""
    ui = Dashboard()
    ui.store.accounts.put([account(1, "Acme"), account(2, "Bolt")])
    ui.store.set_sending(SendPermission(allowed=True, why=""))
    return ui


def findings(form: Form, values: Values) -> dict[str, Finding]:
    """Return the complaints about what a form holds, by path."""
    return {one.key: one.finding for one in form.placed(values) if one.finding}


def submission_of(form: Form, values: Values) -> forms.Submission:
    return form.submission(form.placed(values))


async def opened(pilot: Pilot[None], form: Callable[[UiContext], Form]) -> None:
    """A form is on view."""
    app = pilot.app
    assert isinstance(app, PaytuiApp)
    app.push_screen(TicketScreen(app.ui, form_ticket(app.ui, form(app.ui))))
    await pilot.pause()
    await pilot.pause()


async def seen(ui: Dashboard, pilot: Pilot[None]) -> None:
    """Let the painted screen count as seen, after the wait for a silent terminal."""
    ui.clock.advance(1)
    await pilot.pause()


async def send(ui: Dashboard, pilot: Pilot[None]) -> None:
    """Send what is reviewed, once it is seen."""
    await shows(pilot, "enter: send")
    await seen(ui, pilot)
    await pilot.press("enter")
    await shows(pilot, "Being recorded")


def stands(
    ui: Dashboard,
    standing: Standing,
    *,
    object_id: str | None = None,
    said: str = "",
    fields: tuple[FieldProblem, ...] = (),
) -> None:
    """The worker says how the newest intent stands."""
    intent = ui.port.submitted[-1]
    problem = Problem(f"send {intent.title}", "400", said=said, fields=fields)
    said_why = problem if said or fields else None
    row = row_of(intent, standing, since=NOON, object_id=object_id, problem=said_why)
    ui.store.intents.put([row])
    ui.store.notify()
