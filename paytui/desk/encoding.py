"""Readings as bytes: compressed JSON of the models, which is checked as it is read."""

from __future__ import annotations

import json
import zlib
from functools import cache
from hashlib import sha256

from paytui.api.resources import READS
from paytui.domain.models import Kind, RateSheet
from paytui.store.health import Feed
from paytui.store.model_json import MALFORMED, Conversion, Unreadable, conversion, tuple_of
from paytui.store.shared_readings import Reading

LONGEST = 64_000_000  # Maximum of bytes of one reading before it is compressed

_FEED, _GONE, _FLAG = conversion(Feed), tuple_of(conversion(str)), conversion(bool)


def encode(kind: Kind, reading: Reading) -> bytes:
    feed = None if reading.feed is None else _FEED.write(reading.feed)
    parts = feed, _rows(kind).write(reading.rows), reading.gone, reading.is_too_much
    text = json.dumps([_format(kind), *parts], ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode(errors="surrogatepass"))


def decode(kind: Kind, data: bytes) -> Reading:
    """Return what was encoded; raise Unreadable if this version cannot tell."""
    try:
        written_by, *parts = json.loads(zlib.decompressobj().decompress(data, LONGEST))
        if written_by != _format(kind):
            raise Unreadable
        feed, rows, gone, is_too_much = parts
        return Reading(
            None if feed is None else _FEED.read(feed),
            _rows(kind).read(rows),
            _GONE.read(gone),
            _FLAG.read(is_too_much),
        )
    except (zlib.error, *MALFORMED):
        raise Unreadable from None


def _rows(kind: Kind) -> Conversion:
    return tuple_of(conversion(READS[kind].record if kind in READS else RateSheet))


@cache
def _format(kind: Kind) -> str:
    """Return a fingerprint of the fields: versions of paytui that share it read each other."""
    return sha256(f"{_FEED.shape}{_rows(kind).shape}".encode()).hexdigest()[:12]
