"""Known hosts: the address and certificate authorities of each profile's service.

A new certificate of a known authority is reported, since certificates are renewed every few weeks.
To a certificate of another authority nothing is sent before the user accepts it. An authority is
known by its name and by a key in its chain: of the root, or of any authority below it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from paytui.api.http import tls
from paytui.cli.common import CommandError, ExitCode, print_notice
from paytui.config.settings import Profile
from paytui.config.validation import ConfigError
from paytui.platform.files import NotPrivate, check_private, read_private, write_private
from paytui.platform.host import is_loopback
from paytui.platform.text import clean

FOLDER = "known"
MAX_REMEMBERED = 8
"""Remembered certificates, issuers, and keys of each issuer: a host may rotate several."""

MAX_FILE_SIZE = 65_536  # Bytes; a larger file is not ours

ACCEPT = "--accept-new-host"
ASK_THEM = "Check with the operator of the service. If it is right, start once with " + ACCEPT


@dataclass(frozen=True, slots=True)
class HostRecord:
    """The record of a service's host; of fingerprints, issuers and keys the newest is the last.

    `keys` are by issuer: its own, and those of the authorities above it.
    """

    base_url: str
    certificates: tuple[str, ...] = ()
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class KnownHost:
    """The memory of a profile's service; no file is read or made before it is needed.

    `tell` is called with news of the host before anything is sent.
    """

    def __init__(self, path: Path, profile: Profile, tell: Callable[[str], None]) -> None:
        self.path = path
        self.news = ""
        self._profile = profile
        self._tell = tell
        self._met: HostRecord | None = None

    def led_to(self) -> str | None:
        """Return the address of the last use, if it was another one.

        Raise ConfigError if the record cannot be used.
        """
        known = self._read()
        return known.base_url if known and known.base_url != self._profile.base_url else None

    def remember(self) -> None:
        """Record the profile's address; the record of another address is dropped."""
        known = self._read()
        if known is None or known.base_url != self._profile.base_url:
            try:
                self._write(HostRecord(self._profile.base_url))
            except (OSError, NotPrivate) as error:
                self._tell(f"the service's URL and certificate cannot be saved: {error}")

    def meet(self, certificate: tls.Certificate) -> tls.Rejection | None:
        """See `HostVerifier`."""
        if self._met is not None and certificate.sha256 in self._met.certificates:
            return None
        try:
            read = self._read()
        except ConfigError as error:
            return tls.Rejection(f"{error.file} {error.message}", error.remedy)
        is_ours = read is None or read.base_url == self._profile.base_url
        if read is not None and not is_ours and self._met is None:
            return tls.Rejection(
                f"its URL was {read.base_url} when it was last used", f"{ASK_THEM}."
            )
        known = read if is_ours and read is not None else HostRecord(self._profile.base_url)
        if not known.keys and self._met is not None:
            # Another process changed the address and met no host yet: keep our own record.
            known = self._met
        if known.keys and not self._is_expected(certificate, known):
            if self._met is not None or not self._profile.accepts_new_host:
                return self._another_authority(certificate, known)
            known = HostRecord(self._profile.base_url)
        self._take(certificate, known, keep=is_ours)
        return None

    def _another_authority(self, certificate: tls.Certificate, known: HostRecord) -> tls.Rejection:
        before = " and ".join(known.keys)
        what = f"its certificate is issued by {certificate.issuer}, and was by {before}"
        if certificate.issuer in known.keys:
            namesake = f"another certificate authority named {certificate.issuer}"
            what = f"its certificate is issued by {namesake}: its key is not the known one"
        return tls.Rejection(what, f"{ASK_THEM}.")

    def _take(self, certificate: tls.Certificate, known: HostRecord, *, keep: bool) -> None:
        self._met = _with(known, certificate)
        if self._met == known:
            return
        if known.certificates and certificate.sha256 not in known.certificates:
            self.news = (
                f"the certificate of {self._profile.host} is new, issued by {certificate.issuer}, "
                f"until {certificate.ends:%Y-%m-%d}: {certificate.sha256}"
            )
            self._tell(self.news)
        if keep:
            with suppress(OSError, NotPrivate):  # reported at the start
                self._write(self._met)

    def _is_expected(self, certificate: tls.Certificate, known: HostRecord) -> bool:
        pinned = self._profile.certificate_sha256  # by the author of the configuration
        if certificate.sha256 in (*known.certificates, *pinned):
            return True
        keys = known.keys.get(certificate.issuer, ())
        return not set(keys).isdisjoint(certificate.keys)

    def _read(self) -> HostRecord | None:
        try:
            return _known(json.loads(read_private(self.path, MAX_FILE_SIZE, os.geteuid())))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror}", "") from None
        except NotPrivate as error:
            raise self._error(error.message, error.remedy) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self._error("is damaged", "") from None

    def _write(self, known: HostRecord) -> None:
        write_private(self.path, json.dumps(asdict(known)))

    def _error(self, message: str, remedy: str) -> ConfigError:
        otherwise = f"Check base_url of the profile, then: rm {shlex.quote(str(self.path))}"
        return ConfigError(self.path, "", message, remedy or otherwise)


def known_host(profile: Profile, tell: Callable[[str], None]) -> KnownHost | None:
    """Return the memory of a profile; None if the profile is not in a file yet."""
    from platformdirs import user_state_path

    if profile.file is None or not profile.file.exists():
        return None
    # Several files may have a profile of the same name.
    place = hashlib.sha256(os.fsencode(profile.file.absolute())).hexdigest()[:16]
    folder = user_state_path("paytui", appauthor=False) / FOLDER
    return KnownHost(folder / f"{profile.name}-{place}.json", profile, tell)


def _with(known: HostRecord, certificate: tls.Certificate) -> HostRecord:
    its_keys = _newest(known.keys.get(certificate.issuer, ()), *certificate.keys)
    keys = {**known.keys, certificate.issuer: its_keys}
    return replace(
        known,
        certificates=_newest(known.certificates, certificate.sha256),
        keys=dict([*keys.items()][-MAX_REMEMBERED:]),
    )


def _newest(known: tuple[str, ...], *met: str) -> tuple[str, ...]:
    """Append what was met, as the newest, if any of it is new."""
    if set(met) <= set(known):
        return known
    return (*(each for each in known if each not in met), *met)[-MAX_REMEMBERED:]


def _known(said: Any) -> HostRecord:  # noqa: ANN401 - the file may hold anything
    base_url, keys = said["base_url"], said["keys"]
    lists = (said["certificates"], *keys.values())
    if not isinstance(base_url, str) or not all(isinstance(each, list) for each in lists):
        raise TypeError
    certificates, *each_keys = (tuple(map(str, each)) for each in lists)
    return HostRecord(base_url, certificates, dict(zip(keys, each_keys, strict=True)))


def tls_policy_of(profile: Profile, verifier: tls.HostVerifier | None) -> tls.TlsPolicy:
    """Return the TLS policy of a profile; no file is read yet; `None` accepts any host."""
    return tls.TlsPolicy(
        ca_file=profile.ca_file,
        client_cert_file=profile.client_cert_file,
        client_key_file=profile.client_key_file,
        proxy=profile.proxy,
        pins=frozenset(profile.certificate_sha256),
        verifier=verifier,
    )


def check_tls_files(profile: Profile) -> None:
    """Check that the profile's certificate and key files can be used.

    Raise ConfigError if one cannot.
    """
    if (path := profile.ca_file) is not None:
        remedy = "Name a file of certificates in PEM, from the operator."
        with _file_errors(profile, "ca_file", path, "holds no certificate", remedy):
            tls.ssl_context(tls.TlsPolicy(ca_file=path))
    if (certificate := profile.client_cert_file) is not None:
        own_key = profile.client_key_file
        entry, key = ("client_key_file", own_key) if own_key else ("client_cert_file", certificate)
        remedy = "Name a certificate in PEM, and the key that belongs to it."
        with _file_errors(profile, entry, key, "and its certificate do not match", remedy):
            check_private(key.stat(), key, os.geteuid())
            policy = tls.TlsPolicy(client_cert_file=certificate, client_key_file=own_key)
            tls.ssl_context(policy)


@contextmanager
def _file_errors(
    profile: Profile, entry: str, path: Path, invalid: str, remedy: str
) -> Iterator[None]:
    """Raise ConfigError for a file of an entry; `invalid` is said of one that was read."""
    try:
        yield
    except NotPrivate as error:
        message, remedy = error.message, error.remedy
    except tls.KeyIsLocked:
        message = "has a passphrase, which cannot be typed here"
        remedy = "Keep it in a file of mode 0600 without one: openssl pkey -in OLD -out NEW"
    except ssl.SSLError:
        message = invalid
    except OSError as error:
        message = f"cannot be read: {error.strerror or 'unknown reason'}"
    else:
        return
    raise ConfigError(profile.file, f"profiles.{profile.name}.{entry} ({path})", message, remedy)


class HostMoved(CommandError):
    """The profile's address changed since its last use, and the user has not accepted it."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ExitCode.MOVED)


def verify_host(profile: Profile, *, ask: Callable[[str], bool] | None = None) -> None:
    """Check that a profile's address is the one of its last use, before its secret is read.

    Args:
        ask: asks the user a yes/no question; None if there is no terminal.

    Raises:
        HostMoved: the address changed, and the user does not accept it.
        ConfigError: the record, or a file that connections need, cannot be used.
    """
    check_tls_files(profile)
    known = known_host(profile, print_notice)
    if known is None:
        return
    if (before := known.led_to()) and not profile.accepts_new_host:
        words = (
            f'Profile "{profile.name}" used {clean(before)} before; '
            f"its URL is now {profile.base_url}."
        )
        is_practice = not profile.live and _is_local(before) and _is_local(profile.base_url)
        if is_practice:  # from one sandbox to another
            click.echo(words, err=True)
        elif ask is None or not ask(f"{words} The client secret will be sent there. Continue?"):
            raise HostMoved(f"{words} {ASK_THEM}.")
    known.remember()


def _is_local(base_url: str) -> bool:
    parts = urlsplit(base_url)
    return parts.scheme == "http" and is_loopback(parts.hostname or "")
