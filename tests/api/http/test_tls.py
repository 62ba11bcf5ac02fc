"""TLS to the service: authorities, pins, proxies; the environment alone changes nothing."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import certifi
import pytest
from cryptography.hazmat.primitives import serialization

from paytui.api.errors import Effect, HostRefused, ServiceUnreachable
from paytui.api.http.response import Answer
from paytui.api.http.tls import (
    Certificate,
    HostVerifier,
    KeyIsLocked,
    Rejection,
    TlsPolicy,
    ssl_context,
)
from paytui.api.http.transport import Call, Http, Timeouts
from paytui.platform.clock import ServiceTime
from tests.support.clock import ManualClock
from tests.support.secured import Authority, Heard, Relay, shaken
from tests.support.tcp import server

POST = Call("sign in", "POST", "/auth", body=b'{"clientSecret": "s3nt1nel"}')


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("acme"), "Acme Trust")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("other"), "Other Trust")


async def posted(url: str, way: TlsPolicy, calls: int = 1, call: Call = POST) -> Answer:
    """The answer to the last of some requests to a service that is reached so."""
    http = Http(url, ServiceTime(ManualClock()), None, Timeouts(read=2.0), way)
    try:
        for _ in range(calls):
            answer = await http.exchange(call)
    finally:
        await http.aclose()
    return answer


def accepted(heard: Heard, server: ssl.SSLContext, way: TlsPolicy, calls: int = 1) -> None:
    async def scene() -> None:
        async with heard.listening(server) as url:
            assert (await posted(url, way, calls)).ok

    asyncio.run(scene())
    assert b"s3nt1nel" in heard.bytes


def refused(server: ssl.SSLContext, way: TlsPolicy) -> ServiceUnreachable:
    """Return the error for a service that is not contacted, which must have heard nothing."""

    async def scene() -> ServiceUnreachable:
        async with heard.listening(server) as url:
            with pytest.raises(ServiceUnreachable) as caught:
                await posted(url, way)
            return caught.value

    heard = Heard()
    error = asyncio.run(scene())
    assert heard.bytes == b""
    assert error.effect is Effect.NONE
    return error


class TestTheAuthority:
    def test_the_one_that_is_named_is_believed(self, acme: Authority) -> None:
        accepted(Heard(), acme.server(), TlsPolicy(ca_file=acme.file))

    def test_beside_it_none_is_not_even_those_of_browsers(
        self, acme: Authority, other: Authority, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(certifi, "where", lambda: str(other.file))
        accepted(Heard(), other.server(), TlsPolicy())
        assert "certificate" in str(refused(other.server(), TlsPolicy(ca_file=acme.file)))

    def test_what_the_environment_names_is_not(
        self, acme: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        keys = tmp_path / "keys.log"
        monkeypatch.setenv("SSL_CERT_FILE", str(acme.file))
        monkeypatch.setenv("SSL_CERT_DIR", str(acme.file.parent))
        monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
        refused(acme.server(), TlsPolicy())
        accepted(Heard(), acme.server(), TlsPolicy(ca_file=acme.file))
        assert not keys.exists()

    def test_the_name_of_the_host_counts_too(self, acme: Authority) -> None:
        error = refused(acme.server("other.example"), TlsPolicy(ca_file=acme.file))
        assert "not valid for 'localhost'" in str(error)


class TestTheVersion:
    def test_1_2_is_spoken(self, acme: Authority) -> None:
        server = acme.server()
        server.maximum_version = ssl.TLSVersion.TLSv1_2
        accepted(Heard(), server, TlsPolicy(ca_file=acme.file))

    @pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
    def test_1_1_is_not_even_where_the_library_still_could(
        self, acme: Authority, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        server = acme.server()
        server.minimum_version = server.maximum_version = ssl.TLSVersion.TLSv1_1
        server.set_ciphers("ALL:@SECLEVEL=0")
        monkeypatch.setattr("paytui.api.http.transport.ssl_context", lenient)
        refused(server, TlsPolicy(ca_file=acme.file))
        assert ssl_context(TlsPolicy()).minimum_version == ssl.TLSVersion.TLSv1_2


def lenient(way: TlsPolicy) -> ssl.SSLContext:
    """Ours, on a library that was built for anything."""
    context = ssl_context(way)
    context.set_ciphers("ALL:@SECLEVEL=0")
    return context


class TestOurOwnCertificate:
    def test_it_is_shown_to_a_service_that_asks(self, acme: Authority) -> None:
        cert, key = acme.client("ann")
        way = TlsPolicy(ca_file=acme.file, client_cert_file=cert, client_key_file=key)
        accepted(Heard(), acme.asking_for_clients(), way)

    def test_its_key_may_stand_in_the_same_file(self, acme: Authority, tmp_path: Path) -> None:
        both = tmp_path / "both.pem"
        both.write_bytes(b"".join(path.read_bytes() for path in acme.client("ben")))
        accepted(Heard(), acme.asking_for_clients(), TlsPolicy(acme.file, client_cert_file=both))

    def test_nobody_is_asked_for_the_passphrase_of_its_key(
        self, acme: Authority, tmp_path: Path
    ) -> None:
        cert, key = acme.client("cat")
        opened = serialization.load_pem_private_key(key.read_bytes(), None)
        locked = tmp_path / "locked.key"
        locked.write_bytes(
            opened.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.BestAvailableEncryption(b"sesame"),
            )
        )
        with pytest.raises(KeyIsLocked):
            ssl_context(TlsPolicy(client_cert_file=cert, client_key_file=locked))


class TestPins:
    def test_a_certificate_that_is_pinned_is_taken(self, acme: Authority) -> None:
        server, pin = pinned(acme)
        accepted(Heard(), server, TlsPolicy(acme.file, pins=frozenset({"a" * 64, pin})))

    def test_another_of_the_same_authority_is_not(self, acme: Authority) -> None:
        way = TlsPolicy(acme.file, pins=frozenset({pinned(acme)[1]}))
        error = refused(acme.server(), way)
        assert isinstance(error, HostRefused)
        assert "certificate_sha256" in str(error)


def pinned(authority: Authority) -> tuple[ssl.SSLContext, str]:
    """A server, and the fingerprint of its certificate, taken from what it shows."""
    server = authority.server()
    shown = shaken(server, authority.file).getpeercert(binary_form=True)
    return server, hashlib.sha256(shown or b"").hexdigest()


class Keeper:
    """Sees certificates; may have something against them."""

    news = ""

    def __init__(self, objection: Rejection | None = None) -> None:
        self.seen: list[Certificate] = []
        self.heard: Callable[[], bytes] = bytes
        self.when_seen = b""
        self._objection = objection

    def meet(self, certificate: Certificate) -> Rejection | None:
        self.seen.append(certificate)
        self.when_seen = self.heard()
        return self._objection


class TestTheDoorkeeper:
    def test_it_sees_each_connection_before_the_service_hears_a_word(self, acme: Authority) -> None:
        keeper, heard = Keeper(), Heard()
        keeper.heard = lambda: heard.bytes
        accepted(heard, acme.server(), TlsPolicy(acme.file, verifier=keeper), calls=2)
        assert heard.connections == 1
        (seen,) = keeper.seen
        assert seen.issuer == "Acme Trust"
        assert keeper.when_seen == b""

    def test_what_it_objects_to_is_sent_nothing(self, acme: Authority) -> None:
        keeper = Keeper(Rejection("it is not who it was", "Ask the operator."))
        error = refused(acme.server(), TlsPolicy(acme.file, verifier=keeper))
        assert isinstance(error, HostRefused)
        assert str(error) == "Could not sign in: it is not who it was. Ask the operator."


class TestTheProxy:
    def test_it_is_gone_through_and_learns_where_to_and_no_more(self, acme: Authority) -> None:
        heard, relay = through(acme, Relay())
        assert b"s3nt1nel" in heard.bytes
        assert relay.asked.startswith(b"CONNECT localhost:")
        assert b"s3nt1nel" not in relay.asked
        assert b"/auth" not in relay.asked

    def test_where_none_is_named_that_of_the_environment_is_not_asked(
        self, acme: Authority, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        accepted(Heard(), acme.server(), TlsPolicy(acme.file))

    def test_it_may_be_behind_tls_itself_by_whom_browsers_trust(
        self, acme: Authority, other: Authority, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        relay, heard = Relay(), Heard()

        async def scene() -> None:
            async with (
                heard.listening(acme.server()) as url,
                server(relay, other.server()) as proxy,
            ):
                secured = proxy.replace("http:", "https:")
                await posted(url, TlsPolicy(acme.file, proxy=secured))

        monkeypatch.setenv("SSL_CERT_FILE", str(other.file))
        with pytest.raises(ServiceUnreachable):
            asyncio.run(scene())
        assert relay.asked == b""
        monkeypatch.setattr(certifi, "where", lambda: str(other.file))
        asyncio.run(scene())
        assert relay.asked.startswith(b"CONNECT")
        assert b"s3nt1nel" in heard.bytes

    @pytest.mark.parametrize("answer", [b"HTTP/1.1 407 Who are you\r\n\r\n", b""])
    def test_what_it_does_not_lead_through_was_not_sent(
        self, acme: Authority, answer: bytes
    ) -> None:
        relay, heard = Relay(answer), Heard()

        async def scene() -> ServiceUnreachable:
            async with heard.listening(acme.server()) as url, server(relay) as proxy:
                with pytest.raises(ServiceUnreachable) as caught:
                    await posted(url, TlsPolicy(acme.file, proxy=proxy))
                return caught.value

        assert asyncio.run(scene()).effect is Effect.NONE
        assert relay.asked
        assert heard.connections == 0

    def test_who_is_behind_it_is_judged_too(self, acme: Authority) -> None:
        keeper = Keeper(Rejection("it is not who it was", "Ask the operator."))
        with pytest.raises(HostRefused):
            through(acme, Relay(), keeper)
        assert len(keeper.seen) == 1

    def test_each_write_behind_it_is_asked_for_but_not_what_opens_the_tunnel(
        self, acme: Authority
    ) -> None:
        asked: list[str] = []
        through(acme, Relay(), call=replace(POST, connected=lambda: asked.append("may it?")))
        assert asked == 2 * ["may it?"]  # for the headers and the body


def through(
    authority: Authority, relay: Relay, verifier: HostVerifier | None = None, call: Call = POST
) -> tuple[Heard, Relay]:
    """Return everything that a service, and the proxy before it, hear of one request."""
    heard = Heard()

    async def scene() -> None:
        async with heard.listening(authority.server()) as url, server(relay) as proxy:
            await posted(url, TlsPolicy(authority.file, proxy=proxy, verifier=verifier), call=call)

    asyncio.run(scene())
    return heard, relay
