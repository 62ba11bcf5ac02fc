"""Measure the way of a payout from the key that confirms it: its calls and the modules they are in.

    python -m tests.bench.confirm_walk [--modules]

The dashboard runs at a pty, on the demo's book, with a profile function in each of its threads. It
counts Python calls in paytui, where a coroutine that goes on counts as called: in the worker until
the payout is accepted, on the screen until that is shown. What comes by a clock does not count:
other tasks of the worker, the tick of the screen, and threads that wait for a disk.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import click

from tests.pty.confirming import confirm
from tests.support.deadline import eventually
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

INSIDE = "inside"
ASIDE, WORKER = "paytui-waits", "paytui-worker"
"""The names of the threads of `run_in_daemon_thread`, and of the worker's."""
MOST_CALLS, MOST_MODULES = 3, 80
TICKET = "paytui.tui.ticket."
TASKS = ("Inbox.serve", "Submitter.", "WakeUp.")
"""The worker's tasks and calls that carry an intent, by how their names begin."""
TICK = "PaytuiApp._tick"
_STEP = asyncio.Handle._run.__code__
SELDOM = '\n[polling]\nfloor = "1h"\n'


class Walk:
    """The calls in paytui since a key; they are written to a file once the payout is accepted.

    Attributes:
        is_accepted: True once the worker has told the store so.
    """

    def __init__(self, to: Path) -> None:
        self._to = to
        self._calls: Counter[str] | None = None
        self._at_port: dict[str, object] = {}
        self._screen = threading.current_thread()
        self.is_accepted = False

    def begin(self) -> None:
        """Begin anew: a key was pressed."""
        self._calls = Counter()

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Note an event of the interpreter."""
        calls, module = self._calls, _module(frame)
        if event != "call" or calls is None or not module.startswith("paytui."):
            return
        if not self._counts(frame):
            return
        calls[module] += 1
        if frame.f_code.co_qualname == "Inbox.submit":
            way = [one for one in _callers(frame) if one.startswith(TICKET)]
            self._at_port = {"way": way[::-1], "to_port": dict(calls)}

    def _counts(self, frame: FrameType) -> bool:
        """Return True if a call is on the way, and not one that comes by a clock."""
        thread, names = threading.current_thread(), list(_since_step(frame))
        if thread is self._screen:
            return TICK not in names
        is_late = self.is_accepted or thread.name == ASIDE
        return not is_late and (thread.name != WORKER or names[-1].startswith(TASKS))

    def end(self) -> None:
        """Write what was noted, once."""
        if self._calls is not None and self._at_port:
            noted = {**self._at_port, "to_accepted": self._calls}
            self._calls = None
            partial = self._to.with_suffix(".partial")
            partial.write_text(json.dumps(noted))
            partial.rename(self._to)


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _since_step(frame: FrameType) -> Iterable[str]:
    """Yield the name of a call and those above it, up to what its event loop has called."""
    at: FrameType | None = frame
    while at is not None and at.f_code is not _STEP:
        yield at.f_code.co_qualname
        at = at.f_back


def _callers(frame: FrameType) -> Iterable[str]:
    above = frame.f_back
    while above is not None:
        yield f"{_module(above)}.{above.f_code.co_qualname}"
        above = above.f_back


def inside(to: Path) -> None:
    """Run the dashboard, and note what it does between a confirmation and its acceptance."""
    from textual.events import Event, Key

    from paytui.cli.main import main
    from paytui.domain.intent import Standing
    from paytui.outbox.entry import RecordedIntent
    from paytui.tui.app import PaytuiApp
    from paytui.tui.ticket.screen import TicketScreen
    from paytui.worker.intents.journal import Journal, stands

    walk = Walk(to)
    hear, show, keep = PaytuiApp.on_event, TicketScreen._show, Journal._keep

    async def heard(app: PaytuiApp, event: Event) -> None:
        is_enter = isinstance(event, Key) and event.key == "enter"
        if is_enter and isinstance(app.screen, TicketScreen) and app.screen.confirms:
            walk.begin()
        await hear(app, event)

    def shown(screen: TicketScreen) -> None:
        show(screen)
        lines = {line.label: line.cells for line in screen._view.lines}
        if any("accepted" in cell.text for cell in lines.get("Status", ())):
            walk.end()

    def kept(journal: Journal, recorded: RecordedIntent) -> None:
        keep(journal, recorded)
        walk.is_accepted |= stands(recorded) is Standing.ACCEPTED

    PaytuiApp.on_event = heard  # type: ignore[method-assign, assignment]
    TicketScreen._show = shown  # type: ignore[method-assign, assignment]
    Journal._keep = kept  # type: ignore[method-assign, assignment]
    threading.setprofile(walk.note)
    sys.setprofile(walk.note)
    main()


def measure(folder: Path) -> dict[str, dict[str, int]]:
    """Pay somebody who was paid before, and return what was noted."""
    noted = folder / "noted.json"
    argv = (sys.executable, "-m", "tests.bench.confirm_walk", INSIDE, str(noted), "run", "--config")
    env = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("STATE", "CACHE")}
    with SandboxProcess(folder, "--speed", "0") as service:
        with service.config.open("a") as config:
            config.write(SELDOM)
        with Terminal((*argv, str(service.config)), env=env, answers=True) as terminal:
            terminal.wait_for("✓ all lists current")
            terminal.send("plant\r250\r")
            confirm(terminal, r"Status +\S+ accepted")
            eventually(noted.exists)
    found: dict[str, dict[str, int]] = json.loads(noted.read_text())
    return found


@click.command(help=__doc__)
@click.option("--modules", is_flag=True, help="List the modules as well.")
def report(*, modules: bool) -> None:
    with TemporaryDirectory(prefix="paytui-walk-") as folder:
        found = measure(Path(folder))
    way, to_port, to_accepted = found["way"], found["to_port"], found["to_accepted"]
    click.echo(f"key to port, in the ticket: {len(way)} calls (at most {MOST_CALLS})")
    for name in way:
        click.echo(f"    {name}")
    click.echo(f"key to port: {sum(to_port.values())} calls in {len(to_port)} modules")
    click.echo(
        f"key to accepted: {sum(to_accepted.values())} calls in {len(to_accepted)} modules "
        f"(at most {MOST_MODULES})"
    )
    for name in sorted(to_accepted) if modules else ():
        click.echo(f"    {to_accepted[name]:6} {name}")


if __name__ == "__main__":
    if sys.argv[1:2] == [INSIDE]:
        _, _, noted_in, *sys.argv[1:] = sys.argv
        sys.argv[0] = "paytui"
        inside(Path(noted_in))
    else:
        report()
