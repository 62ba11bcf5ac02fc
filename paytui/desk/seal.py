"""The encryption of what the desk's database holds for all seats."""

from __future__ import annotations

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

NONCE = 12  # Bytes


class Seal:
    """A seal by AES-GCM, under a key that every seat derives from the client secret.

    Args:
        client: identifies service and client id; see `owner_key`.
        purpose: of the key: no other purpose can use it.
    """

    def __init__(self, client: str, secret: str, purpose: str) -> None:
        kdf = HKDF(SHA256(), 32, salt=client.encode(), info=purpose.encode())
        self._cipher = AESGCM(kdf.derive(secret.encode()))
        self._client = client

    def seal(self, data: bytes, *place: object) -> bytes:
        """Encrypt data for one place in the database."""
        nonce = os.urandom(NONCE)
        return nonce + self._cipher.encrypt(nonce, data, self._bound_to(place))

    def unseal(self, sealed: bytes, *place: object) -> bytes | None:
        """Return the data; None if it was altered, moved, or sealed under another secret."""
        try:
            return self._cipher.decrypt(sealed[:NONCE], sealed[NONCE:], self._bound_to(place))
        except (InvalidTag, ValueError):
            return None

    def _bound_to(self, place: tuple[object, ...]) -> bytes:
        return "|".join(map(str, (self._client, *place))).encode()
