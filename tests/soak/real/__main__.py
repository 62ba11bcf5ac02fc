"""The real program for an hour: `python -m tests.soak.real --minutes 60`."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tests.soak.real.proxy import Proxy
from tests.soak.real.report import grown, head, row
from tests.soak.real.run import Run, Sample
from tests.soak.real.stage import USUAL, Stage
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import PAYTUI, Terminal


class Rows:
    """Prints each sample beside the one before."""

    def __init__(self) -> None:
        self._before: Sample | None = None

    def __call__(self, sample: Sample) -> None:
        print(row(sample, self._before), flush=True)
        self._before = sample


@contextmanager
def on_stage(folder: Path, seed: int) -> Iterator[Stage]:
    """A sandbox, a link to it, and the dashboard at its end."""
    rng = random.Random(seed)  # noqa: S311 - a seed repeats itself
    with SandboxProcess(folder, "--speed", "20") as service:
        port = int(service.base_url.rpartition(":")[2])
        with Proxy(port) as link:
            config = service.config.read_text(encoding="utf-8")
            service.config.write_text(config.replace(f":{port}", f":{link.port}"))
            with Terminal(_command(service), size=USUAL, env=_environ(folder)) as terminal:
                yield Stage(terminal, service, link, rng)


def _command(service: SandboxProcess) -> tuple[str, ...]:
    return (*PAYTUI, "run", "--config", str(service.config))


def _environ(folder: Path) -> dict[str, str]:
    return {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("STATE", "CACHE")}


@click.command()
@click.option("--minutes", default=60.0, help="Of all phases together.", show_default=True)
@click.option("--seed", default=1, help="Of the keys and sizes.", show_default=True)
def main(minutes: float, seed: int) -> None:
    """Print a table and a verdict; exit with 1 where something grows or is not as it must be."""
    print(head())
    with (
        tempfile.TemporaryDirectory(prefix="paytui-soak-") as name,
        on_stage(Path(name), seed) as stage,
    ):
        stage.terminal.wait_for("AUD")
        run = Run(stage, Path(name) / "bank.sqlite3", Rows())
        run.live(minutes)
        run.leave()
    wrong = [*run.wrong, *(f"GROWN: {words}" for words in grown(run.samples))]
    print(*wrong or ["Nothing grew but the book, and every screen was sane."], sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
