"""Configurations and dialects that users write: loaded or refused with an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from paytui.api.dialect import DialectError, load_dialect
from paytui.config.load import load_settings
from paytui.config.validation import ConfigError
from tests.config.loader import uncommented
from tests.fuzz.spoiling import hostile_text, spoilt
from tests.fuzz.target import Target
from tests.support.escapes import foreign

ROOT = Path(__file__).resolve().parents[2]
_TABLE = st.sampled_from(("", "[profiles.x]", "[display]", "[rates]", "[polling]", "[keys]"))


def configuration(folder: Path) -> Target:
    example = uncommented((ROOT / "config.example.toml").read_text(encoding="utf-8"))
    # All of it at once would be one mistake in a thousand lines: its sections, too.
    sections = [f"[{part}" for part in example.split("\n[")[1:]]
    path = folder / "config.toml"

    def check(text: str) -> bool:
        _write(path, text)
        return _is_told(path, _complaint(lambda: load_settings(path, {}), ConfigError))

    return Target(_toml([example, *sections, *_live(sections)]), check)


def dialect(folder: Path) -> Target:
    whole = (ROOT / "paytui/api/dialect.toml").read_text(encoding="utf-8")
    sections = [f"[{part}" for part in whole.split("\n[")[1:]]
    path = folder / "dialect.toml"

    def check(text: str) -> bool:
        _write(path, text)
        return _is_told(path, _complaint(lambda: load_dialect(path), DialectError))

    return Target(_toml(sections), check)


def _complaint(read: Callable[[], object], promised: type[Exception]) -> str:
    """Return the error about a file that cannot be used; empty if it can."""
    try:
        read()
    except promised as error:
        return str(error)
    return ""


def _is_told(path: Path, complaint: str) -> bool:
    """Return True if a file can be used; its error must name it and be safe for a terminal."""
    assert not complaint or str(path) in complaint, complaint
    assert foreign(complaint) == [], complaint
    return not complaint


def _live(sections: list[str]) -> list[str]:
    """Each with a profile that is whole, so that what is looked at after it is reached."""
    profile = "[profiles.x]\nbase_url = 'http://127.0.0.1:1'\nclient_id = 'x'\nlive = false\n"
    return [profile + section for section in sections if not section.startswith("[profiles")]


def _toml(samples: list[str]) -> SearchStrategy[str]:
    """Files that were good, lines of names and values, and anything."""
    names = sorted(
        {line.split("=")[0].strip("# ") for text in samples for line in text.split("\n")}
    )
    value = st.one_of(
        hostile_text(20),
        st.sampled_from(
            ("1", "-1", "1e999", "nan", "true", "[]", "{}", "[1, 'a']", "''", '"AUD/USD"')
        ),
    )
    line = st.builds("{} = {}".format, st.sampled_from(names), value)
    lines = st.builds(
        lambda head, rest: "\n".join([head, *rest]), _TABLE, st.lists(line, max_size=5)
    )
    return st.one_of(spoilt(samples, most=2), lines, st.text(max_size=60))


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
