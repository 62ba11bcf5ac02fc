"""The dialect that a profile speaks."""

from __future__ import annotations

from paytui.api.dialect import Dialect, DialectError, load_dialect
from paytui.config.settings import Profile


def dialect_of(profile: Profile) -> Dialect:
    """The profile's dialect.

    Raises:
        DialectError: it cannot be used; the message also tells which entry names it.
    """
    try:
        return load_dialect(profile.dialect)
    except DialectError as error:
        raise DialectError(f"{profile.entry('dialect')}: {error}") from None
