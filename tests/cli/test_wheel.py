"""The wheel runs outside the checkout and finds the data files it ships."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support.commands import ROOT


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`paytui` in an environment of its own, with nothing of the checkout on its path.

    Its dependencies are those of this environment, but for an editable paytui: they are reached by
    their folder, in which path files have no effect.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build = ("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("paytui-*.whl")
    home = folder / "venv"
    venv.create(home, symlinks=True)
    scheme = sysconfig.get_paths("venv", vars={"base": str(home), "platbase": str(home)})
    install = ("-m", "pip", "--python", str(home / "bin" / "python"), "install")
    offline = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel))
    subprocess.run([sys.executable, *install, *offline], check=True, cwd=folder)
    Path(scheme["purelib"], "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin" / "paytui"


def run(program: Path, *arguments: str) -> str:
    home = program.parent
    done = subprocess.run(
        [program, *arguments],
        cwd=home,
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(ROOT) not in done.stdout + done.stderr
    return done.stdout


def shipped(program: Path, name: str) -> Path:
    paths = dict(line.split(maxsplit=1) for line in run(program, "config", "path").splitlines())
    return Path(paths[name])


@pytest.mark.slow
def test_it_tells_its_version(program: Path) -> None:
    assert run(program, "--version") == "paytui, version 0.1.0\n"


def test_it_shows_its_settings(program: Path) -> None:
    assert 'theme = "dark"' in run(program, "config", "show")


def test_themes_and_example_are_inside(program: Path) -> None:
    themes, example = shipped(program, "themes"), shipped(program, "example")
    assert {path.name for path in themes.iterdir()} == {
        path.name for path in (ROOT / "themes").iterdir()
    }
    assert example.read_bytes() == (ROOT / "config.example.toml").read_bytes()
    assert themes.is_relative_to(program.parents[1])


def test_the_example_is_a_valid_configuration_there(program: Path) -> None:
    example = shipped(program, "example")
    assert ": OK." in run(program, "config", "validate", "--config", str(example))


def test_the_sandbox_starts_there(program: Path) -> None:
    """Its schema, a file that is no Python, is in the wheel."""
    environ = {"HOME": str(program.parent), "PATH": os.environ["PATH"]}
    process = subprocess.Popen(
        [program, "sandbox", "--scale", "5"],
        cwd=program.parent,
        env={**environ, "PAYTUI_SANDBOX_SECRET": "s"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    process.terminate()
    process.communicate(timeout=30)
    assert '"base_url"' in line
