"""Work in a process of its own that has imported nothing of ours, and need not import the rest."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")

OF_OTHERS = (
    "babel.numbers",
    "click.testing",
    "httpx",
    "hypothesis.stateful",
    "pydantic",
    "pytest",
    "standardwebhooks",
    "starlette.applications",
    "textual.app",
    "textual.pilot",
    "textual.widgets",
    "uvicorn",
)
"""What takes longer to import than most tests take to run. None of it may import paytui."""


PATIENCE = 300
"""Seconds. A planted bug may have its test wait for ever, or end the process without a word."""


def apart(work: Callable[_P, _T], *arguments: _P.args, **options: _P.kwargs) -> _T:
    """What the work returns; the process that did it is gone by then.

    Raises:
        TimeoutError: it never returned.
    """
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(list(OF_OTHERS))
    with forking.Pool(1) as pool:
        return pool.apply_async(work, arguments, options).get(PATIENCE)
