"""Responses of every kind, and webhooks."""

from __future__ import annotations

import base64
import json

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from paytui.api.dialect import load_dialect
from paytui.api.raw_reads import pretty
from paytui.api.resources import READS
from paytui.api.wire.codec import EventReader, Wire
from paytui.api.wire.decode import BadRecord
from paytui.domain.exact_json import CannotReadError, parse_verbatim
from paytui.domain.models import Kind
from paytui.platform.clock import ServiceTime
from paytui.platform.secret import Secret
from paytui.worker.webhook_intake import Message, SignatureVerifier, WebhookClassifier
from tests.fuzz.spoiling import hostile_text, spoilt
from tests.fuzz.target import Target
from tests.support.clock import NOON, ManualClock
from tests.support.escapes import foreign
from tests.support.hostile.corpus import JOINED
from tests.support.hostile.records import KINDS

SECRET = Secret("whsec_" + base64.b64encode(b"twenty-four bytes of key").decode())
STAMP = str(int(NOON.timestamp()))
EVENT = {
    "eventId": "evt-1",
    "eventType": "payment.released",
    "createdAt": "2026-03-02T12:00:00Z",
    "data": {"paymentTransactionId": "pay-1"},
}


def answers() -> Target:
    """Bodies of lists and of single objects."""
    wire = Wire(load_dialect())
    bodies = [_list(name, text) for name in KINDS for text in ("plain", JOINED)]

    def check(case: tuple[Kind, str]) -> bool:
        body = case[1].encode("utf-8", errors="surrogatepass")
        try:
            part = wire.many(body)
            pretty(parse_verbatim(body), 20_000)
        except CannotReadError:
            return False
        reader = wire.readers.of(READS[case[0]].record)
        for item in part.items:
            try:
                record = reader.read(item)
            except BadRecord:
                continue
            assert foreign(repr(record)) == []
        return True

    text = st.one_of(spoilt(bodies), _json().map(json.dumps), st.text(max_size=60))
    return Target(st.tuples(st.sampled_from(sorted(READS)), text), check)


def webhooks() -> Target:
    """Bodies with headers, judged with a secret and without one."""
    time = ServiceTime(ManualClock())
    read = EventReader(load_dialect()).read

    def check(case: tuple[str, str, str, str]) -> bool:
        body = case[0].encode("utf-8", errors="surrogatepass")
        headers = [header.encode("latin-1", "replace").decode("latin-1") for header in case[1:]]
        message = Message(body, *headers)
        sealed = WebhookClassifier(SignatureVerifier(SECRET), read, time).classify(message)
        assert sealed.event is None, "nothing here is signed by who knows the secret"
        open_ = WebhookClassifier(None, read, time).classify(message)
        assert foreign(f"{open_.why}{open_.event!r}{sealed.why}") == []
        return open_.event is not None

    text = st.one_of(spoilt([json.dumps(EVENT)]), _json().map(json.dumps), st.text(max_size=60))
    stamp = st.one_of(st.sampled_from((STAMP, "", "0", "9" * 40, "-1", "١٢")), hostile_text(12))
    signature = st.one_of(st.just("v1,AAAA"), hostile_text(20))
    return Target(st.tuples(text, hostile_text(12), stamp, signature), check)


def _list(name: str, text: str) -> str:
    return json.dumps({"items": [KINDS[name]("1", text)], "total": 1})


def _json() -> SearchStrategy[object]:
    """Any JSON, its names those of the service or none of them."""
    names = sorted({name for make in KINDS.values() for name in make("1", "x")})
    key = st.one_of(st.sampled_from((*names, "items", "item", "total", "data")), hostile_text(8))
    leaf = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), hostile_text(20))
    inner = st.recursive(
        leaf,
        lambda one: st.one_of(st.lists(one, max_size=4), st.dictionaries(key, one, max_size=6)),
        max_leaves=20,
    )
    listed = st.builds(lambda items: {"items": items}, st.lists(inner, max_size=4))
    return st.one_of(inner, listed, st.builds(lambda one: {**EVENT, "data": one}, inner))
