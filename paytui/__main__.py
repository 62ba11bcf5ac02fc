"""`python -m paytui`."""

from __future__ import annotations

from paytui.cli.main import main

main()
