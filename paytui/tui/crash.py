"""What is printed after an error of our own: where it was, and no values of variables."""

from __future__ import annotations

import traceback

from textual.worker import WorkerFailed


def crash_report(error: BaseException) -> str:
    """A crash in words: kind and place of the error.

    Neither local variables nor the error's own message are in it: both may hold secrets.
    """
    cause = error.error if isinstance(error, WorkerFailed) else error
    frames = traceback.extract_tb(cause.__traceback__)
    place = next((frame for frame in reversed(frames) if "paytui" in frame.filename), None)
    where = f" at {place.filename}:{place.lineno} in {place.name}" if place else ""
    return (
        f"paytui stopped because of an error of its own: {type(cause).__name__}{where}.\n"
        "The service is not affected. Start paytui again; if it happens twice, report this line."
    )
