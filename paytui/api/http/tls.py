"""TLS to the service: trusted authorities, our own certificate, pins and the proxy.

Nothing is taken from the environment: no proxies, no authorities, no key log file.
"""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from paytui.platform.interpreter import verified_chain
from paytui.platform.text import clean


def authority_keys(connection: ssl.SSLObject | ssl.SSLSocket) -> tuple[str, ...]:
    """Return the SHA-256 of each authority's public key in the verified chain, in hexadecimal.

    The root is the last. A certificate that is trusted by itself is its own authority.
    """
    chain = verified_chain(connection)
    return tuple(hashlib.sha256(public_key(each)).hexdigest() for each in chain[1:] or chain)


def public_key(certificate: bytes) -> bytes:
    """Return the SubjectPublicKeyInfo of a valid certificate (RFC 5280, section 4.1), in DER."""
    [(_, whole)] = _elements(certificate)
    (_, signed), *_ = _elements(whole)
    # The tag is that of the version, which certificates of version 1 lack.
    fields = [element for element, _ in _elements(signed) if not element.startswith(b"\xa0")]
    _serial, _algorithm, _issuer, _validity, _subject, key, *_ = fields
    return key


def _elements(encoded: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield each DER element and its content."""
    start = 0
    while start < len(encoded):
        begin, length = start + 2, encoded[start + 1]
        if length & 0x80:  # the long form: the low bits count the bytes of the length
            size = length & 0x7F
            length = int.from_bytes(encoded[begin : begin + size])
            begin += size
        yield encoded[start : begin + length], encoded[begin : begin + length]
        start = begin + length


OLDEST = ssl.TLSVersion.TLSv1_2
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Certificate:
    """A verified certificate of the service.

    Attributes:
        sha256: its fingerprint, in hexadecimal.
        issuer: the issuer's organisation, else its common name.
        ends: the end of its validity, in UTC.
        keys: SHA-256 of the keys of the authorities above it, the root's last.
    """

    sha256: str
    issuer: str
    ends: datetime
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rejection:
    """The reason to send nothing to a host: a clause, and a remedy as a sentence."""

    what: str
    remedy: str


class HostVerifier(Protocol):
    """A verifier that compares the service's certificate with earlier connections."""

    @property
    def news(self) -> str:
        """Return the changes since the service was last used, in words; "" = none."""

    def meet(self, certificate: Certificate) -> Rejection | None:
        """Judge a certificate before anything is sent. Return a rejection, or None to accept."""


@dataclass(frozen=True, slots=True)
class TlsPolicy:
    """The TLS settings of connections to the service.

    Attributes:
        ca_file: the only trusted authorities; None = those that browsers trust.
        client_cert_file: our certificate; None = the service asks for none.
        client_key_file: its key; None = in the same file.
        proxy: the only route to the service; None = direct.
        pins: accepted fingerprints; empty = any.
        verifier: judges certificates with a trusted authority; None = any is accepted.
    """

    ca_file: Path | None = None
    client_cert_file: Path | None = None
    client_key_file: Path | None = None
    proxy: str | None = None
    pins: frozenset[str] = frozenset()
    verifier: HostVerifier | None = None

    def rejection(self, certificate: Certificate) -> Rejection | None:
        """Return the reason to send nothing to the holder of a certificate, if there is one."""
        if self.pins and certificate.sha256 not in self.pins:
            return Rejection(
                f"its certificate is not one of certificate_sha256: {certificate.sha256}",
                "Ask the operator whether it has a new one; only then put it there.",
            )
        return self.verifier.meet(certificate) if self.verifier else None


class KeyIsLocked(Exception):
    """The key of our certificate needs a passphrase, which cannot be asked for."""


def ssl_context(tls_policy: TlsPolicy) -> ssl.SSLContext:
    """Return a context that verifies certificates and requires TLS 1.2 or newer.

    Raises:
        OSError: a file cannot be read, or (ssl.SSLError) cannot be used.
        KeyIsLocked: the key of our certificate needs a passphrase.
    """
    import certifi

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # verifies chain and host name
    context.minimum_version = OLDEST
    if tls_policy.ca_file is None:
        context.load_verify_locations(certifi.where())
    else:
        context.load_verify_locations(tls_policy.ca_file)
        # A CA file may hold an intermediate only.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    if tls_policy.client_cert_file is not None:
        context.load_cert_chain(
            tls_policy.client_cert_file, tls_policy.client_key_file, password=_refuse
        )
    return context


def _refuse() -> str:
    raise KeyIsLocked  # OpenSSL would ask on the terminal


def certificate_of(connection: ssl.SSLObject | ssl.SSLSocket) -> Certificate:
    """Return the certificate of the other end of a secured connection."""
    encoded, said = connection.getpeercert(binary_form=True), connection.getpeercert()
    assert encoded is not None  # a context that verifies has let it pass
    assert said is not None
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(said["notAfter"])), UTC)
    keys = authority_keys(connection)
    return Certificate(hashlib.sha256(encoded).hexdigest(), _issuer(said), ends, keys)


def _issuer(said: Mapping[str, object]) -> str:
    names: dict[str, str] = {}
    for part in said["issuer"]:  # type: ignore[attr-defined]  # as the ssl module documents it
        names.update(part)
    name = names.get("organizationName") or names.get("commonName") or "an unnamed authority"
    return clean(name, LONGEST_NAME)
