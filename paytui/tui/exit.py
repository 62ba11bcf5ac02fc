"""Starting the dashboard and leaving it, whatever state the terminal is in."""

from __future__ import annotations

from paytui.tui.app import PaytuiApp


def run_dashboard(app: PaytuiApp) -> int:
    """Run the dashboard on this terminal until it ends.

    Returns:
        The exit code of the process: 0, or 1 after a crash.
    """
    app.run(mouse=False)
    return app.return_code or 0
