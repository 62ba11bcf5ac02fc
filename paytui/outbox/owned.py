"""The outbox of the one process that sends from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from paytui.outbox.database import Connect, connect
from paytui.outbox.outbox import Outbox
from paytui.outbox.owner import Owner
from paytui.outbox.place import check_place, make_folder


class OwnedOutbox(Outbox):
    """An outbox in a private place, and the right to send from it; both end with `close`.

    Args:
        path: of the file: see `outbox_path`.
        host: ours, told to whoever comes second.
        since: now.
        connect: see `Outbox`.

    Raises:
        OwnedElsewhere: another process sends from it.
        OutboxError: it cannot be used; the problem says why and what to do.
    """

    def __init__(
        self, path: Path, *, host: str, since: datetime, connect: Connect = connect
    ) -> None:
        make_folder(path)
        check_place(path)
        self._owner = Owner(path, host, since)
        try:
            super().__init__(path, connect)
        except BaseException:
            self._owner.release()
            raise

    def check_ours(self) -> None:
        self._owner.check()

    @contextmanager
    def _writing(self, attempted: str) -> Iterator[None]:
        self.check_ours()
        with super()._writing(attempted):
            yield

    def close(self) -> None:
        """Give the file back, and the right to send from it."""
        super().close()
        self._owner.release()
