"""Secrets: a type that does not show itself by accident."""

from __future__ import annotations

MASK = "••••"


class Secret:
    """A secret string: masked wherever it is printed, formatted, logged, pickled or compared."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The secret itself: only for the body of POST /auth."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    def __str__(self) -> str:
        return MASK

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written anywhere")
