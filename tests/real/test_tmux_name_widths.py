"""Names in a real tmux that measures their width otherwise than our table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.tmux import Tmux
from tests.support.scripted import AUTH, Reply, ScriptedService, token_reply
from tests.support.served import served
from tests.support.terminal import PAYTUI, ROOT

NAMES = (
    "Globex Corporation",
    "क्षत्रिय ट्रेडिंग कंपनी",
    "ஸ்ரீ நிறுவனம்",
    "മലയാളം ക്ഷേമ നിധി",
    "ကျော်ဇော ကုမ္ပဏီ",
)
RECIPIENTS = [
    {"recipientId": f"rec-{number}", "companyName": name, "status": "registered"}
    for number, name in enumerate(NAMES)
]


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    """A list of recipients, one of them in Latin letters."""
    replies = {
        AUTH: token_reply(1, "2036-03-02T12:05:00Z"),
        "/v2/recipients": Reply({"items": RECIPIENTS, "total": len(RECIPIENTS)}),
    }
    with served(ScriptedService(replies)) as url, Tmux((100, 24), {}) as server:
        config = tmp_path / "config.toml"
        config.write_text(f"[profiles.x]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n")
        folders = [f"XDG_{name}_HOME={tmp_path / name}" for name in ("STATE", "CACHE", "DATA")]
        env = (*folders, "PAYTUI_CLIENT_SECRET=x", f"PYTHONPATH={ROOT}", "LC_ALL=C.UTF-8")
        server.wait_for("shell>")
        server.enter(("env", *env, *PAYTUI, "run", "--config", str(config)))
        server.wait_for("Quit")
        server.keys("7")
        server.wait_for("5 recipients, by")
        yield server


def columns_of(tmux: Tmux, text: str, times: int) -> list[int]:
    """The cells in which a text begins, from below: by tmux, which alone knows."""
    tmux.run("copy-mode")
    tmux.run("send-keys", "-X", "bottom-line")
    found = []
    for _ in range(times):
        tmux.run("send-keys", "-X", "search-backward-text", text)
        found.append(int(tmux.asks("copy_cursor_x")))
    tmux.run("send-keys", "-X", "cancel")
    return found


def test_names_of_any_script_are_whole_and_move_nothing_that_stands_beside_them(
    tmux: Tmux,
) -> None:
    shown = tmux.wait_for(r"\A" + "".join(f"(?=(.|\n)*{name})" for name in NAMES))
    assert len(set(columns_of(tmux, "registered", len(NAMES)))) == 1, shown
