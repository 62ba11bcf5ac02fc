"""How the body of an answer is packed, and undoing that within bounds."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

LONGEST_BODY = 16 * 1024 * 1024
"""Bytes of one answer, unpacked."""

Garbled: TypeAlias = zlib.error
"""A body is not packed as it says."""

Unpack: TypeAlias = Callable[[bytes, int], bytes]
"""What is in a chunk, of which no more than so many bytes are needed; that is more than 0."""


class Unfit(Exception):
    """A body that is not for us to read.

    Attributes:
        what: it is, as a noun phrase.
        remedy: what a person can do about it.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


def codings_of(told: str) -> tuple[str, ...]:
    """What was done to a body, by its `Content-Encoding` (RFC 9110 §8.4)."""
    names = (each.strip() for each in told.lower().split(","))
    return tuple(name for name in names if name not in _NONE)


async def unpacked(chunks: AsyncIterator[bytes], codings: tuple[str, ...]) -> bytes:
    """A body as it was before it was packed; of no body there is nothing to unpack.

    Raises:
        Unfit: it is packed otherwise than was asked for, or too long.
        Garbled: it is not packed as it says.
    """
    unpack = _unpacking(codings)
    body = bytearray()
    async for chunk in chunks:
        if chunk:
            body += unpack(chunk, LONGEST_BODY + 1 - len(body))
        if len(body) > LONGEST_BODY:
            raise Unfit("an answer of more than 16 MB", _FEWER)
    return bytes(body)


def _unpacking(codings: tuple[str, ...]) -> Unpack:
    if not codings:
        return _as_it_came
    if len(codings) > 1 or codings[0] not in _WINDOWS:
        return _not_asked_for
    return _Unpacking(codings[0])


def _as_it_came(chunk: bytes, _: int) -> bytes:
    return chunk


def _not_asked_for(_: bytes, __: int) -> bytes:
    raise Unfit("an answer packed otherwise than was asked for", _PACK)


class _Unpacking:
    """Undoes one coding within bounds: httpx makes of a chunk whatever is in it."""

    def __init__(self, coding: str) -> None:
        self._stream = zlib.decompressobj(_WINDOWS[coding])
        self._may_be_bare = coding == "deflate"

    def __call__(self, chunk: bytes, room: int) -> bytes:
        may_be_bare, self._may_be_bare = self._may_be_bare, False
        try:
            # What comes behind the end is left: zlib would keep it.
            return b"" if self._stream.eof else self._stream.decompress(chunk, room)
        except Garbled:
            if not may_be_bare:
                raise
        self._stream = zlib.decompressobj(-zlib.MAX_WBITS)  # many leave out zlib's frame
        return self(chunk, room)


_GZIP = zlib.MAX_WBITS | 16
_WINDOWS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
_NONE = ("", "identity")

_FEWER = "Ask for fewer records at once: [paging] records in the dialect."
_PACK = "Have the service pack answers once, by gzip or deflate, or not at all."
