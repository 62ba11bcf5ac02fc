"""Programs that tests need beside Python."""

from __future__ import annotations

import os
import shutil

import pytest

ASKED_FOR = "PAYTUI_REQUIRED_PROGRAMS"
"""Set to 1 where these programs are to be there: nothing is skipped."""

_WHERE = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin"))


def need(*programs: str) -> list[str]:
    """Return the paths of the programs; without one skip the test, or fail if required."""
    found = {program: shutil.which(program, path=_WHERE) for program in programs}
    if missing := [program for program, path in found.items() if path is None]:
        why = f"not installed: {', '.join(missing)} (`.ci/run` names the packages of Debian)"
        if os.environ.get(ASKED_FOR) == "1":
            pytest.fail(why)
        pytest.skip(why)
    return [path for path in found.values() if path is not None]
