"""Templates: readable files that hold no secret, and of which nothing is lost."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.config.templates import (
    LARGEST,
    Template,
    file_name,
    parse_name,
    read_templates,
    save_template,
)
from paytui.config.validation import ConfigError
from paytui.domain.money import CurrencyCode
from paytui.platform.text import InvalidValue

RENT = Template(
    name="Rent",
    profile="acme",
    kind="payout",
    recipient="rec-1",
    recipient_name="Globex",
    payment_address="adr-1",
    from_wallet="wal-2",
    from_wallet_name="USD desk",
    amount="1.2k",
    reference="Rent {month}",
    extra={"purpose": "rent", "note": ""},
)
MINIMAL = 'name = "Rent"\nprofile = "acme"\nkind = "payout"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "templates"


def put(folder: Path, text: str | bytes, name: str = "rent.toml") -> Path:
    """Put a file there by hand."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(0o600)
    return path


def error_of(folder: Path) -> ConfigError:
    """Return the only complaint about a folder in which nothing can be used."""
    found = read_templates(folder)
    assert not found.by_file
    (error,) = found.errors
    return error


class TestSaving:
    @pytest.mark.parametrize(
        "template",
        [
            RENT,
            Template(name="Sweep", profile="acme", kind="transfer", to_wallet="wal-1"),
            Template(
                name="Cover 日本 “Q1”",
                profile="acme",
                kind="trade",
                sell=CurrencyCode("AUD"),
                buy=CurrencyCode("USD"),
                side="buy",
                amount="500k",
            ),
            Template(name="[b]x[/b]", profile="acme", kind="payout", reference='"#\\{}'),
        ],
        ids=lambda template: template.kind,
    )
    def test_what_is_saved_is_read_again(self, folder: Path, template: Template) -> None:
        path = save_template(folder, template)
        found = read_templates(folder)
        assert found.errors == []
        assert found.by_file == {path: template}

    def test_it_is_private_and_readable_by_people(self, folder: Path) -> None:
        path = save_template(folder, RENT)
        assert path == folder / "rent.toml"
        assert path.stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o700
        text = path.read_text()
        assert text.startswith("# A template of paytui.")
        assert list(tomllib.loads(text))[:5] == [
            "name",
            "profile",
            "kind",
            "recipient",
            "recipient_name",
        ]

    def test_a_template_is_replaced_only_by_who_has_seen_it(self, folder: Path) -> None:
        path = save_template(folder, RENT)
        dearer = replace(RENT, amount="1.3k")
        with pytest.raises(ConfigError, match="is the template Rent"):
            save_template(folder, dearer)
        with pytest.raises(ConfigError, match="is the template Rent"):
            save_template(folder, dearer, replaces=replace(RENT, amount="1k"))
        assert read_templates(folder).by_file == {path: RENT}
        assert save_template(folder, dearer, replaces=RENT) == path
        assert read_templates(folder).by_file == {path: dearer}
        assert [each.name for each in folder.iterdir()] == ["rent.toml"]

    def test_one_of_another_profile_is_never_replaced(self, folder: Path) -> None:
        path = save_template(folder, RENT)
        with pytest.raises(ConfigError, match="of the profile acme"):
            save_template(folder, replace(RENT, profile="live"), replaces=RENT)
        assert read_templates(folder).by_file == {path: RENT}

    def test_a_name_in_another_case_is_the_same_name_whatever_its_file(self, folder: Path) -> None:
        path = put(folder, MINIMAL, "mine.toml")
        with pytest.raises(ConfigError, match="is the template Rent"):
            save_template(folder, replace(RENT, name="RENT"))
        assert path.read_text() == MINIMAL

    def test_a_file_with_a_mistake_is_not_written_over(self, folder: Path) -> None:
        path = put(folder, "my own notes")
        with pytest.raises(ConfigError, match="exists and is not overwritten"):
            save_template(folder, RENT)
        assert path.read_text() == "my own notes"

    @pytest.mark.parametrize("kept", ["what the user would miss", None], ids=["file", "dangling"])
    def test_a_link_in_its_place_is_not_written_through(
        self, folder: Path, kept: str | None
    ) -> None:
        victim = folder.parent / "victim"
        if kept is not None:
            victim.write_text(kept)
        folder.mkdir()
        (folder / "rent.toml").symlink_to(victim)
        with pytest.raises(ConfigError, match="exists and is not overwritten"):
            save_template(folder, RENT)
        assert (victim.read_text() if victim.exists() else None) == kept

    def test_a_template_behind_a_link_stays_when_the_link_is_replaced(self, folder: Path) -> None:
        kept = save_template(folder, RENT).rename(folder.parent / "kept.toml")
        (folder / "rent.toml").symlink_to(kept)
        before = kept.read_text()
        path = save_template(folder, replace(RENT, amount=None), replaces=RENT)
        assert kept.read_text() == before
        assert not path.is_symlink()

    def test_what_could_not_be_read_again_is_not_written(self, folder: Path) -> None:
        with pytest.raises(ConfigError, match="reference: must be one line"):
            save_template(folder, replace(RENT, reference="a\nb"))
        with pytest.raises(ConfigError, match="more than 65,536 characters"):
            save_template(folder, replace(RENT, reference="a" * LARGEST))
        assert not folder.exists()

    def test_a_folder_that_cannot_be_made_is_told(self, folder: Path) -> None:
        folder.write_text("a file")
        with pytest.raises(ConfigError, match="cannot be written"):
            save_template(folder, RENT)


class TestTheNameOfItsFile:
    @pytest.mark.parametrize(
        ("name", "file"),
        [("Rent", "rent.toml"), ("Rent AU 2", "rent-au-2.toml"), ("Loyér", "loyer.toml")],
    )
    def test_is_read_as_the_templates(self, name: str, file: str) -> None:
        assert file_name(name) == file

    @pytest.mark.parametrize(
        "name",
        [
            *("../x", "/etc/passwd", "..", ".", ".hidden", "-rf", "a/b", "a\\b", "con", "日本"),
            *("x.toml", "~", "$HOME", "\u202egnp.exe", "e\u0301", "㌀" * 60, "a" * 60, "?", "*"),
        ],
    )
    def test_leads_nowhere_else(self, folder: Path, name: str) -> None:
        path = save_template(folder, replace(RENT, name=parse_name(name)))
        assert path.parent == folder
        assert path.resolve().parent == folder.resolve()
        assert set(path.stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
        assert not path.name.startswith((".", "-"))
        assert len(path.name) <= 80
        assert [each.name for each in read_templates(folder).by_file.values()] == [parse_name(name)]

    def test_differs_where_names_differ_in_what_it_cannot_show(self) -> None:
        names = ["日本", "中国", "x", "../x", "x!", "x?"]
        assert len({file_name(name) for name in names}) == len(names)

    @pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x1b[31m", "x" * 61, "\u200b"])
    def test_there_is_none_for_what_is_no_name(self, name: str) -> None:
        with pytest.raises(InvalidValue):
            parse_name(name)


class TestReading:
    def test_without_a_folder_there_are_none(self, folder: Path) -> None:
        assert read_templates(folder).by_file == {}
        assert read_templates(folder).errors == []

    def test_the_least_that_a_file_needs(self, folder: Path) -> None:
        path = put(folder, MINIMAL)
        assert read_templates(folder).by_file == {
            path: Template(name="Rent", profile="acme", kind="payout")
        }

    def test_other_files_are_not_looked_at(self, folder: Path) -> None:
        put(folder, "notes", "README")
        put(folder, "half", ".rent.toml.0123")
        put(folder, "half", ".rent.toml")
        assert read_templates(folder).errors == []

    def test_a_bad_file_spoils_no_other_and_stays(self, folder: Path) -> None:
        bad = put(folder, "kind = ", "bad.toml")
        good = put(folder, MINIMAL, "good.toml")
        found = read_templates(folder)
        assert list(found.by_file) == [good]
        assert [error.file for error in found.errors] == [bad]
        assert bad.read_text() == "kind = "

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "name: is missing. Write it like this: name = "),
            (f'{MINIMAL}refrence = "x"\n', ":4: refrence: is not a key that paytui knows. "),
            (f'{MINIMAL}refrence = "x"\n', "Did you mean reference?"),
            (f'{MINIMAL}iban = "DE1"\n', "iban: is not a key that paytui knows"),
            (f'{MINIMAL}account_number = "1"\n', "account_number: is not a key that paytui knows"),
            (f'{MINIMAL}secret = "x"\n', "Do not put a secret into this file"),
            (f'{MINIMAL}to_wallet = "w"\n', ":4: to_wallet: has no place in a payout. Remove it"),
            (f'{MINIMAL}side = "sell"\n', "side: has no place in a payout"),
            (
                MINIMAL.replace("payout", "trade") + 'currency = "USD"\n',
                "currency: has no place in a trade",
            ),
            (f'{MINIMAL}currency = "dollars"\n', "currency: must hold currency codes"),
            (
                MINIMAL.replace("payout", "transfer") + 'recipient = "r"\n',
                "recipient: has no place in a transfer",
            ),
            (MINIMAL.replace("payout", "gift"), "kind: must be 'payout', 'transfer' or 'trade'"),
            (MINIMAL.replace("acme", "../acme"), "profile: is not a name for a profile"),
            (MINIMAL.replace("Rent", "x" * 61), "name: must be a name of 1 to 60 characters"),
            (f"{MINIMAL}amount = 12.5\n", "amount: must be text in quotes"),
            (f'{MINIMAL}amount = ""\n', "amount: must not be empty"),
            (f'{MINIMAL}reference = "a\\u001b[2J"\n', "reference: must be one line without"),
            (f'{MINIMAL}extra = "x"\n', "extra: must be a table"),
            (f'{MINIMAL}[extra]\na = "x\\ny"\n', "extra.a: must be one line"),
            ("name = Rent", "is not valid TOML"),
            (f"x = {'9' * 5000}", "is not valid TOML"),
            ("a = " + "[" * 5000, "is nested too deeply"),
            (b"\xff\xfe", "is not UTF-8 text"),
            ("#" * (LARGEST + 1), "has more than 65,536 characters"),
        ],
    )
    def test_a_mistake_is_told_with_its_place_and_the_remedy(
        self, folder: Path, text: str | bytes, says: str
    ) -> None:
        path = put(folder, text)
        error = error_of(folder)
        assert says in str(error)
        assert str(error).startswith(str(path))
        assert error.remedy

    def test_a_pipe_is_not_waited_for(self, folder: Path) -> None:
        folder.mkdir()
        os.mkfifo(folder / "rent.toml", 0o600)
        assert "is not a regular file" in str(error_of(folder))

    def test_a_folder_and_a_broken_link_are_told(self, folder: Path) -> None:
        (folder / "a.toml").mkdir(parents=True)
        (folder / "b.toml").symlink_to(folder / "nowhere")
        (folder / "c.toml").symlink_to(folder / "c.toml")
        (folder / "d.toml").symlink_to("/dev/zero")
        told = [error.message for error in read_templates(folder).errors]
        assert told[0] == told[3] == "is not a regular file"
        assert told[1].startswith("cannot be read: No such file")
        assert told[2].startswith("cannot be read: Too many levels")

    def test_a_folder_that_is_a_file_is_told(self, folder: Path) -> None:
        folder.write_text("")
        assert "cannot be read: Not a directory" in str(error_of(folder))

    @pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
    def test_one_that_others_can_write_is_not_used(self, folder: Path, mode: int) -> None:
        put(folder, MINIMAL).chmod(mode)
        error = error_of(folder)
        assert f"can be written by others (mode {mode:04o})" in str(error)
        assert "chmod 600" in error.remedy

    def test_one_of_another_user_is_not_used(self, folder: Path) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root can give a file away")
        os.chown(put(folder, MINIMAL), 65_534, 65_534)
        assert "belongs to another user" in str(error_of(folder))
