"""How tables of a configuration are declared: plain dataclasses, which pydantic validates.

Nothing here loads it: it takes longer to import than all else that the first paint waits for, and
what it accepted before needs it no more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, ValidationInfo
    from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class Before:
    """Makes a value out of whatever is written; may raise `Refused`."""

    make: Callable[[object], object]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """As pydantic asks for it."""
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(self.make, handler(source))


@dataclass(frozen=True, slots=True)
class After:
    """Judges what is of the right type, and says what it is meant as; may raise `Refused`."""

    judge: Callable[[Any], object]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """As pydantic asks for it."""
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(self.judge, handler(source))


@dataclass(frozen=True, slots=True)
class AfterByName:
    """Judges as `After` does, by the name of the entry, which comes first."""

    judge: Callable[[str, Any], object]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """As pydantic asks for it."""
        from pydantic_core import core_schema

        def judged(value: object, info: ValidationInfo) -> object:
            return self.judge(str(info.field_name), value)

        return core_schema.with_info_after_validator_function(judged, handler(source))


def entry(default: Any = MISSING, *, example: str) -> Any:  # noqa: ANN401 - stands for any type
    """Declare a key: what holds where it is left out, and how it is written, as TOML.

    Without a default there must be one.
    """
    shown = {"example": example}
    if isinstance(default, list | dict):
        return field(default_factory=default.copy, metadata=shown)
    return field(default=default, metadata=shown)


@dataclass(frozen=True, slots=True)
class Table:
    """A table; what can be in it is declared by `entry`, and nothing else is."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    @classmethod
    def examples(cls) -> Mapping[str, str]:
        """What can be in it, by name, and how each is written."""
        return {each.name: each.metadata["example"] for each in fields(cls)}

    @classmethod
    def names(cls) -> Sequence[str]:
        """What can be in it."""
        return [each.name for each in fields(cls)]

    def said(self, *left_out: str) -> dict[str, Any]:
        """What was not left to its default."""
        given = ((name, getattr(self, name)) for name in self.names() if name not in left_out)
        return {name: value for name, value in given if value is not None}
