"""Regenerate docs/coverage.md."""

from __future__ import annotations

from tests.coverage.promises import DOCUMENT, document, marked, promises

DOCUMENT.write_text(document(promises(), marked()), encoding="utf-8")
