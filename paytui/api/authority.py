"""The keys of the certificate authorities that vouch for a connection.

`ssl` tells the verified chain from Python 3.13 on. Earlier versions have it in a private part of
the module, which nothing else in paytui uses.
"""

from __future__ import annotations

import hashlib
import ssl
import sys
from collections.abc import Iterator

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
