"""How a profile's service is reached, and whether the files for it can be used."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from paytui.config.errors import ConfigError
from paytui.config.settings import Profile
from paytui.platform.files import NotPrivate, check_private

if TYPE_CHECKING:
    from paytui.api.http.tls import Doorkeeper, Way


def way_of(profile: Profile, doorkeeper: Doorkeeper) -> Way:
    """How the service is reached; no file is read yet."""
    from paytui.api.http.tls import Way

    return Way(
        ca_file=profile.ca_file,
        client_cert_file=profile.client_cert_file,
        client_key_file=profile.client_key_file,
        proxy=profile.proxy,
        pins=frozenset(profile.certificate_sha256),
        doorkeeper=doorkeeper,
    )


def check_way(profile: Profile) -> None:
    """Make sure that the files that connections need can be used; where there are none, nothing.

    Raises:
        ConfigError: one cannot be.
    """
    if profile.ca_file is not None:
        _check_authorities(profile, profile.ca_file)
    if profile.client_cert_file is not None:
        _check_our_own(profile, profile.client_cert_file)


def _check_authorities(profile: Profile, path: Path) -> None:
    from paytui.api.http.tls import Way, ssl_context

    try:
        ssl_context(Way(ca_file=path))
    except OSError as error:
        remedy = "Name a file of certificates in PEM, as the operator gave it to you."
        raise _error(profile, "ca_file", path, _why(error, "holds none"), remedy) from None


def _check_our_own(profile: Profile, certificate: Path) -> None:
    from paytui.api.http.tls import KeyIsLocked, Way, ssl_context

    entry = "client_key_file" if profile.client_key_file is not None else "client_cert_file"
    key = profile.client_key_file or certificate
    try:
        check_private(key.stat(), key, os.geteuid())
        ssl_context(Way(client_cert_file=certificate, client_key_file=profile.client_key_file))
    except NotPrivate as error:
        raise _error(profile, entry, key, error.message, error.remedy) from None
    except KeyIsLocked:
        remedy = "Keep it in a file of mode 0600 without one: openssl pkey -in OLD -out NEW"
        message = "is behind a passphrase, which nobody is there to type"
        raise _error(profile, entry, key, message, remedy) from None
    except OSError as error:
        remedy = "Name a certificate in PEM, and the key that belongs to it."
        message = _why(error, "and its certificate do not go together")
        raise _error(profile, entry, key, message, remedy) from None


def _why(error: OSError, otherwise: str) -> str:
    """A file that is read and makes no sense has no error of the system's."""
    import ssl

    if isinstance(error, ssl.SSLError):
        return otherwise
    return f"cannot be read: {error.strerror or 'unknown reason'}"


def _error(profile: Profile, entry: str, path: Path, message: str, remedy: str) -> ConfigError:
    key = f"profiles.{profile.name}.{entry} ({path})"
    return ConfigError(profile.file, key, message, remedy)
