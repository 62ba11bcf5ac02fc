"""Syslog lines for what the outbox records."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path

from paytui.domain.intent import Standing
from paytui.domain.money import plain
from paytui.outbox.entry import Entry, Event, EventKind
from paytui.platform.text import clean

SOCKET = Path("/dev/log")
_LONGEST = 200  # Characters of one value; longer ones are cut

_USER = 1 << 3
_WARNING, _INFO = 4, 6  # Facility and severities of RFC 5424, section 6.2.1

_WORTH_A_LOOK = (EventKind.IN_DOUBT, EventKind.SIGHTED, EventKind.ALERT)


class Syslog:
    """A sender of log lines that never blocks: a line that the log does not take is lost.

    No line holds a key, a body, a name or an account number.

    Attributes:
        lost: why the last line was lost; None while lines arrive.
    """

    def __init__(self, path: Path = SOCKET) -> None:
        self.lost: str | None = None
        self._path = path
        self._socket: socket.socket | None = None

    def recorded(self, entry: Entry, head: str = "") -> None:
        """Log that an intent was recorded; `head` is the head of the outbox's chain."""
        self._send(_INFO, _line(entry, Standing.RECORDED, {"chain": head or None}))

    def happened(self, entry: Entry, event: Event, stands: Standing, head: str = "") -> None:
        """Log an event of an intent, and the status after it."""
        severity = _WARNING if event.kind in _WORTH_A_LOOK else _INFO
        more = {
            "event": event.kind.value,
            "object": event.object_id,
            "status": event.status,
            "by": event.user or None,
            "chain": head or None,
        }
        self._send(severity, _line(entry, stands, more))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, severity: int, line: str) -> None:
        tag = f"<{_USER | severity}>paytui[{os.getpid()}]: "
        try:
            self._connected().send((tag + line).encode())
        except BlockingIOError:
            self.lost = f"{self._path} takes no more for now"
        except OSError as error:
            self.close()  # the log daemon may have restarted with another socket
            self.lost = f"{self._path}: {error.strerror or error}"
        else:
            self.lost = None

    def _connected(self) -> socket.socket:
        if self._socket is None:
            fresh = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                fresh.setblocking(False)
                fresh.connect(str(self._path))
            except OSError:
                fresh.close()
                raise
            self._socket = fresh
        return self._socket


def _line(entry: Entry, stands: Standing, more: Mapping[str, str | int | None]) -> str:
    terms = entry.terms
    values = {
        "intent": entry.intent_id,
        "profile": entry.profile,
        "action": entry.action.value,
        "amount": None if terms.amount is None else plain(terms.amount),
        "currency": terms.currency,
        "standing": stands.value,
        **more,
        "user": entry.user,
        "host": entry.host,
    }
    return " ".join(
        f"{name}={_quoted(value)}" for name, value in values.items() if value is not None
    )


def _quoted(value: str | int) -> str:
    """Return one plain word as it is, anything else as a JSON string."""
    text = clean(str(value), _LONGEST)
    is_word = text.isascii() and text.replace("-", "").replace("_", "").replace(".", "").isalnum()
    return text if is_word else json.dumps(text)
