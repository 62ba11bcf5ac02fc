"""Templates of payments and trades: a readable file each, in `templates/` beside the configuration.

A template has the identifiers of a recipient, its payment address and wallets. The names beside
them are for its reader alone. It has neither a secret nor an account number.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tomli_w

from paytui.config import saved_files, validation
from paytui.config.settings import Currency, ProfileName, Settings, Text
from paytui.config.value_parsers import label, one_line
from paytui.platform.files import ROOT
from paytui.platform.text import InvalidValue, fold

ENDING = ".toml"
HEADER = "# A template of paytui. The identifiers count; the names are for its reader alone.\n"
LONGEST_NAME = 60  # Characters
LARGEST = 65_536  # The most bytes of a file

Kind = Literal["payout", "transfer", "trade"]
MEND = "Fix it, or move it away."


def parse_name(value: str) -> str:
    """Check the name of a template: a line of at most sixty characters."""
    name = label(value).strip()
    if not name or len(name) > LONGEST_NAME:
        message = f"must be a name of 1 to {LONGEST_NAME} characters"
        raise InvalidValue(message, 'Write it like this: name = "Rent"')
    return name


Name = Annotated[str, validation.Parsed(parse_name)]
Answer = Annotated[
    str, validation.Parsed(lambda value: value and one_line(value))
]  # It may be empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Template(validation.Table):
    """The whole file of a template; the ticket asks for what is None.

    Attributes:
        profile: the profile whose identifiers these are.
        to_wallet: of a transfer or trade, the wallet that receives.
        side: of a trade, the side that `amount` fixes.
        amount: as typed: `1200`, `1.5k`.
        currency: of the amount of a payment; without it, that of `from_wallet`.
        reference: as typed, without a tag; with placeholders such as `{month}`.
        extra: the fields that a dialect adds, by name.
    """

    name: Name = field(metadata={"example": '"Rent"'})
    profile: ProfileName = field(metadata={"example": '"acme"'})
    kind: Kind = field(metadata={"example": '"payout"'})
    recipient: Text | None = validation.entry(None, '"RECIPIENT-ID"')
    recipient_name: Text | None = validation.entry(None, '"Globex"')
    payment_address: Text | None = validation.entry(None, '"ADDRESS-ID"')
    from_wallet: Text | None = validation.entry(None, '"WALLET-ID"')
    from_wallet_name: Text | None = validation.entry(None, '"USD desk"')
    to_wallet: Text | None = validation.entry(None, '"WALLET-ID"')
    to_wallet_name: Text | None = validation.entry(None, '"AUD desk"')
    sell: Currency | None = validation.entry(None, '"AUD"')
    buy: Currency | None = validation.entry(None, '"USD"')
    side: Literal["sell", "buy"] | None = validation.entry(None, '"sell"')
    amount: Text | None = validation.entry(None, '"1200"')
    currency: Currency | None = validation.entry(None, '"USD"')
    reference: Text | None = validation.entry(None, '"Rent {month}"')
    extra: Mapping[Text, Answer] = validation.entry({}, '[extra]\npurpose = "rent"')


_OF_TRADES = ("sell", "buy", "side")
_NOT_IN: Mapping[Kind, tuple[str, ...]] = {
    "payout": ("to_wallet", "to_wallet_name", *_OF_TRADES),
    "transfer": ("recipient", "recipient_name", "payment_address", *_OF_TRADES),
    "trade": ("currency",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Templates:
    """The templates of a folder by file, and what is wrong with its other files."""

    by_file: Mapping[Path, Template] = field(default_factory=dict)
    errors: Sequence[validation.ConfigError] = ()

    def named(self, name: str) -> tuple[Path, Template] | None:
        """Return the template of a name, in whatever case, and its file."""
        wanted = fold(name)
        return next((one for one in self.by_file.items() if fold(one[1].name) == wanted), None)


def folder_of(settings: Settings) -> Path | None:
    """Return the folder beside the configuration, else the one that is set; None without both."""
    config = settings.profile.file
    return config.with_name("templates") if config else settings.templates


def file_name(name: str) -> str:
    """Return the name of a template's file, with a digest where it cannot be read from the name."""
    words = fold(name)
    stem = re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:LONGEST_NAME]
    if re.fullmatch(r"[a-z0-9][a-z0-9 -]*", words) and len(words) <= LONGEST_NAME:
        return stem + ENDING
    digest = hashlib.sha256(words.encode()).hexdigest()[:8]
    return "-".join(filter(None, (stem, digest))) + ENDING


def read_templates(folder: Path) -> Templates:
    """Read all templates of a folder; none if it does not exist."""
    by_file: dict[Path, Template] = {}
    errors: list[validation.ConfigError] = []
    paths: list[Path] = []
    try:
        with validation.file_errors(folder), suppress(FileNotFoundError):
            paths = sorted(folder.iterdir())
    except validation.ConfigError as error:
        errors.append(error)
    for path in paths:
        if path.name.endswith(ENDING) and not path.name.startswith("."):  # else half written
            try:
                by_file[path] = _parsed(path, _text(path))
            except validation.ConfigError as error:
                errors.append(error)
    return Templates(by_file=by_file, errors=errors)


def save_template(folder: Path, template: Template, replaces: Template | None = None) -> Path:
    """Write a template and return its file.

    Args:
        replaces: the template of the same name that the user agreed to replace.

    Raises:
        ConfigError: it cannot be written, or there is another one of this name.
    """
    found = read_templates(folder).named(template.name)
    path = found[0] if found else folder / file_name(template.name)
    contents = {name: value for name, value in template.entries().items() if value}
    text = HEADER + tomli_w.dumps(contents)
    _parsed(path, text)  # what is written can be read
    if found is None:
        saved_files.write_new(path, text)
    elif found[1] == replaces and replaces.profile == template.profile:
        saved_files.replace_file(path, text, "Give it another name.")
    else:
        message = f"is the template {found[1].name} of the profile {found[1].profile}"
        raise validation.ConfigError(path, "", message, "Give this one another name.")
    return path


def _parsed(path: Path, text: str) -> Template:
    if len(text) > LARGEST:
        raise validation.ConfigError(path, "", f"has more than {LARGEST:,} characters", MEND)
    with validation.file_errors(path, MEND):
        tree = tomllib.loads(text)
    try:
        template = validation.validate(Template, tree)
        if wrong := [name for name in tree if name in _NOT_IN[template.kind]]:
            message, remedy = f"has no place in a {template.kind}", "Remove it, or correct `kind`."
            raise validation.InvalidTree(
                Template, [validation.Mistake((name,), message, remedy) for name in wrong]
            )
    except validation.InvalidTree as invalid:
        raise invalid.error(path, validation.key_lines(text)) from None
    return template


def _text(path: Path) -> str:
    """Return the text of a regular file that no other user can have written."""
    with validation.file_errors(path):
        # Do not wait for a pipe's other end.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(handle)
            text = os.read(handle, LARGEST + 1) if stat.S_ISREG(status.st_mode) else b""
        finally:
            os.close(handle)
    if not stat.S_ISREG(status.st_mode):
        raise validation.ConfigError(path, "", "is not a regular file", "Move it away.")
    if status.st_uid not in (ROOT, os.geteuid()):
        raise validation.ConfigError(
            path, "", "belongs to another user", "Make a copy that is yours."
        )
    if status.st_mode & 0o022:
        message = f"can be written by others (mode {stat.S_IMODE(status.st_mode):04o})"
        remedy = f"Check it, then run: chmod 600 {shlex.quote(str(path))}"
        raise validation.ConfigError(path, "", message, remedy)
    with validation.file_errors(path):
        return text.decode()
