"""Choices by what is typed: which it may mean, and which it is."""

from __future__ import annotations

from collections.abc import Sequence

from paytui.tui.forms.declare import Choice, Field, FieldKind

YES_NO = (Choice(key="true", words="yes"), Choice(key="false", words="no"))


def choices_of(field: Field) -> tuple[Choice, ...]:
    """What a field offers; nothing where anything can be typed."""
    return YES_NO if field.kind is FieldKind.YES_NO else field.choices()


def meant(choices: Sequence[Choice], text: str) -> Choice | None:
    """The choice that a text names, by its key or in its words; None where it may be two."""
    typed = text.strip().casefold()
    found = []
    for choice in choices:
        if choice.key == text:
            return choice
        if typed in choice.names:
            found.append(choice)
    return found[0] if len(found) == 1 else None


def matching(choices: Sequence[Choice], text: str) -> list[Choice]:
    """The choices that hold all words of a text: it, what begins with it, what its words begin."""
    typed = text.strip().casefold()
    words = typed.split()
    found = [one for one in choices if all(word in one.sought for word in words)]
    return sorted(
        found,
        key=lambda one: (
            typed not in one.names,
            not any(name.startswith(typed) for name in one.names),
            not _begin_words(words, one),
        ),
    )


def likeliest(choices: Sequence[Choice], text: str) -> Choice | None:
    """The choice to take for a text; none for pieces of words: `aud` is not Saudi Arabia."""
    first = matching(choices, text)[:1] if text.strip() else []
    return next((one for one in first if _begin_words(text.casefold().split(), one)), None)


def _begin_words(words: Sequence[str], choice: Choice) -> bool:
    """Whether each of these begins a word of a choice."""
    sought = f" {choice.sought}"
    return all(f" {word}" in sought for word in words)


def begun(choices: Sequence[Choice], text: str) -> list[Choice]:
    """The choices of which a word begins with a text: `zz` is no way to write Brazzaville."""
    typed = f" {text.strip().casefold()}"
    return [one for one in choices if any(typed in f" {name}" for name in one.names)]
