"""How the service is reached: who vouches for it, who vouches for us, and what it shows of itself.

Nothing of this is taken from the environment: neither proxies, nor authorities, nor a file to write
the keys of connections to.
"""

from __future__ import annotations

import hashlib
import ssl
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from paytui.platform.text import clean

# The keys of the certificate authorities that vouch for a connection.
#
# `ssl` tells the verified chain from Python 3.13 on. Earlier versions have it in a private part of
# the module, which nothing else in paytui uses.

_VERSION = b"\xa0"
"""The tag of the version, which certificates of version 1 lack."""

_BEFORE_THE_KEY = 5
"""The fields between version and key: serial number, algorithm, issuer, validity, subject."""


def authority_keys(connection: ssl.SSLObject | ssl.SSLSocket) -> tuple[str, ...]:
    """Return the SHA-256 of the public key of each authority in the verified chain, in hexadecimal.

    The root is the last. A certificate that is trusted by itself is its own authority.
    """
    chain = _verified_chain(connection)
    return tuple(hashlib.sha256(public_key(each)).hexdigest() for each in chain[1:] or chain)


def public_key(certificate: bytes) -> bytes:
    """Return the SubjectPublicKeyInfo of a valid certificate (RFC 5280, section 4.1), in DER."""
    [(_, whole)] = _elements(certificate)
    (_, signed), *_ = _elements(whole)
    fields = [element for element, _ in _elements(signed) if not element.startswith(_VERSION)]
    return fields[_BEFORE_THE_KEY]


def _verified_chain(connection: ssl.SSLObject | ssl.SSLSocket) -> list[bytes]:
    if sys.version_info >= (3, 13):
        return connection.get_verified_chain()
    import _ssl

    chain = connection._sslobj.get_verified_chain()  # type: ignore[union-attr]  # noqa: SLF001
    return [each.public_bytes(_ssl.ENCODING_DER) for each in chain]


def _elements(encoded: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield each element of DER, whole, and its content."""
    start = 0
    while start < len(encoded):
        begin, length = start + 2, encoded[start + 1]
        if length & 0x80:  # the long form: so many bytes hold the length
            size = length & 0x7F
            length = int.from_bytes(encoded[begin : begin + size])
            begin += size
        yield encoded[start : begin + length], encoded[begin : begin + length]
        start = begin + length


OLDEST = ssl.TLSVersion.TLSv1_2
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a service proved itself by: it is vouched for, and names the host.

    Attributes:
        sha256: its fingerprint, in hexadecimal.
        issuer: who vouches for it: an organisation, else a common name.
        ends: when it ends, in UTC.
        keys: SHA-256 of the keys of the authorities above it, the root's last.
    """

    sha256: str
    issuer: str
    ends: datetime
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why nothing is sent to a host: what is wrong, as a clause, and what to do, as a sentence."""

    what: str
    remedy: str


class HostVerifier(Protocol):
    """Who knows the service from before."""

    @property
    def news(self) -> str:
        """What has changed of it since it was last used, in words; empty where nothing has."""
        ...

    def meet(self, certificate: Certificate) -> Rejection | None:
        """Look at its certificate before anything is sent; may object."""
        ...


class AcceptAny:
    """Knows nobody from before, and takes whoever is vouched for."""

    news = ""

    def meet(self, _: Certificate) -> Rejection | None:
        """Take it."""
        return None


ACCEPT_ANY = AcceptAny()


@dataclass(frozen=True, slots=True)
class TlsPolicy:
    """How the service is reached.

    Attributes:
        ca_file: the authorities that alone are believed; None: those that browsers trust.
        client_cert_file: our certificate; None: the service asks for none.
        client_key_file: its key; None: it is in the same file.
        proxy: through which alone it goes; None: directly.
        pins: fingerprints, one of which the service's certificate has; empty: any.
        verifier: looks at each certificate that comes.
    """

    ca_file: Path | None = None
    client_cert_file: Path | None = None
    client_key_file: Path | None = None
    proxy: str | None = None
    pins: frozenset[str] = frozenset()
    verifier: HostVerifier = ACCEPT_ANY

    def rejection(self, certificate: Certificate) -> Rejection | None:
        """Why nothing is sent to whoever shows this certificate; None where it may be."""
        if self.pins and certificate.sha256 not in self.pins:
            return Rejection(
                f"its certificate is not one of certificate_sha256: {certificate.sha256}",
                "Ask the operator whether it has a new one; only then put it there.",
            )
        return self.verifier.meet(certificate)


class KeyIsLocked(Exception):
    """The key of our certificate is behind a passphrase, which nobody could be asked for."""


def ssl_context(tls_policy: TlsPolicy) -> ssl.SSLContext:
    """What connections are secured by: verified certificates, TLS 1.2 or newer.

    Raises:
        OSError: a file cannot be read, or (ssl.SSLError) holds nothing that can be used.
        KeyIsLocked: the key of our certificate is behind a passphrase.
    """
    import certifi

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # verifies chain and host name
    context.minimum_version = OLDEST
    if tls_policy.ca_file is None:
        context.load_verify_locations(certifi.where())
    else:
        context.load_verify_locations(tls_policy.ca_file)
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # an authority between may be pinned
    if tls_policy.client_cert_file is not None:
        context.load_cert_chain(
            tls_policy.client_cert_file, tls_policy.client_key_file, password=_refuse
        )
    return context


def _refuse() -> str:
    raise KeyIsLocked  # OpenSSL would ask on the terminal


def certificate_of(connection: ssl.SSLObject | ssl.SSLSocket) -> Certificate:
    """What the other end of a secured connection proved itself by."""
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
    name = names.get("organizationName") or names.get("commonName") or "nobody who has a name"
    return clean(name, LONGEST_NAME)
