"""What is known of a profile's service since it was last used: where it was, and what proved it.

Of certificates, which are renewed every few weeks, a new one of an authority that is known is told;
one of another authority is sent nothing before somebody has said that it is right.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paytui.config.errors import ConfigError
from paytui.config.settings import Profile
from paytui.private import NotPrivate, check_private, write_private

if TYPE_CHECKING:
    from paytui.api.way import Certificate, Objection

FOLDER = "known"
MOST = 8
"""Certificates that are remembered: one service may show several in turn."""

LONGEST = 65_536
"""Bytes; a file of more is not ours."""

ACCEPT = "--accept-new-host"
ASK_THEM = "Ask the operator of the service whether that is so; if it is, start once with " + ACCEPT


@dataclass(frozen=True, slots=True)
class Known:
    """What is remembered.

    Attributes:
        base_url: where the profile led.
        certificates: fingerprints of those that were met there, the newest last.
        issuers: who vouched for them.
    """

    base_url: str
    certificates: tuple[str, ...] = ()
    issuers: tuple[str, ...] = ()


class KnownHost:
    """Remembers the service of a profile; nothing is read or made before it is needed.

    Args:
        path: where to.
        profile: whose service.
        tell: is told, before anything is sent, what has changed of it.

    Attributes:
        news: the newest of that.
    """

    def __init__(self, path: Path, profile: Profile, tell: Callable[[str], None]) -> None:
        self.path = path
        self.news = ""
        self._profile = profile
        self._tell = tell
        self._met: Known | None = None

    def led_to(self) -> str | None:
        """Where the profile led when it was last used, if that was elsewhere.

        Raises:
            ConfigError: what is remembered cannot be used.
        """
        known = self._read()
        return known.base_url if known and known.base_url != self._profile.base_url else None

    def remember(self) -> None:
        """Remember where the profile leads; what was known of another place is forgotten."""
        known = self._read()
        if known is None or known.base_url != self._profile.base_url:
            try:
                self._write(Known(self._profile.base_url))
            except (OSError, NotPrivate) as error:
                self._tell(f"where the profile leads cannot be remembered: {error}")

    def meet(self, certificate: Certificate) -> Objection | None:
        """See `Doorkeeper`."""
        from paytui.api.way import Objection

        if self._met is not None and certificate.sha256 in self._met.certificates:
            return None
        try:
            read = self._read()
        except ConfigError as error:
            return Objection(f"{error.file} {error.message}", error.remedy)
        is_ours = read is None or read.base_url == self._profile.base_url
        if read is not None and not is_ours and self._met is None:
            return Objection(f"it led to {read.base_url} when it was last used", f"{ASK_THEM}.")
        known = read if is_ours and read is not None else Known(self._profile.base_url)
        if not known.issuers and self._met is not None:
            # Led elsewhere meanwhile by who has met nobody yet: here we go on.
            known = self._met
        if known.issuers and not self._is_expected(certificate, known):
            if self._met is not None or not self._profile.accepts_new_host:
                return self._another_authority(certificate, known)
            known = Known(self._profile.base_url)
        self._take(certificate, known, keep=is_ours)
        return None

    def _another_authority(self, certificate: Certificate, known: Known) -> Objection:
        from paytui.api.way import Objection

        before = " and ".join(known.issuers)
        what = f"its certificate is vouched for by {certificate.issuer}, and was by {before}"
        return Objection(what, f"{ASK_THEM}.")

    def _take(self, certificate: Certificate, known: Known, *, keep: bool) -> None:
        if certificate.sha256 in known.certificates:
            self._met = known
            return
        self._met = _with(known, certificate)
        if known.certificates:
            self._say(certificate)
        if keep:
            with suppress(OSError, NotPrivate):  # said at the start
                self._write(self._met)

    def _is_expected(self, certificate: Certificate, known: Known) -> bool:
        pinned = self._profile.certificate_sha256  # by whoever wrote the configuration
        return certificate.issuer in known.issuers or certificate.sha256 in pinned

    def _say(self, certificate: Certificate) -> None:
        self.news = (
            f"the certificate of {self._profile.host} is a new one, vouched for by "
            f"{certificate.issuer}, until {certificate.ends:%Y-%m-%d}: {certificate.sha256}"
        )
        self._tell(self.news)

    def _read(self) -> Known | None:
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror}", "") from None
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise self._error("is not a regular file", "")
            check_private(status, self.path, os.geteuid())
            return _known(json.loads(os.read(handle, LONGEST)))
        except NotPrivate as error:
            raise self._error(error.message, error.remedy) from None
        except (ValueError, KeyError, TypeError):
            raise self._error("is damaged", "") from None
        finally:
            os.close(handle)

    def _write(self, known: Known) -> None:
        write_private(self.path, json.dumps(asdict(known)))

    def _error(self, message: str, remedy: str) -> ConfigError:
        otherwise = f"Check base_url of the profile, then: rm {shlex.quote(str(self.path))}"
        return ConfigError(self.path, "", message, remedy or otherwise)


def known_host(profile: Profile, tell: Callable[[str], None]) -> KnownHost | None:
    """The memory of a profile; None for one that stands in no file, or not yet."""
    from platformdirs import user_state_path

    if profile.file is None or not profile.file.exists():
        return None
    # Profiles of one name may stand in several files.
    place = hashlib.sha256(os.fsencode(profile.file.absolute())).hexdigest()[:16]
    folder = user_state_path("paytui", appauthor=False) / FOLDER
    return KnownHost(folder / f"{profile.name}-{place}.json", profile, tell)


def _with(known: Known, certificate: Certificate) -> Known:
    return replace(
        known,
        certificates=(*known.certificates, certificate.sha256)[-MOST:],
        issuers=tuple(dict.fromkeys((*known.issuers, certificate.issuer)))[-MOST:],
    )


def _known(said: Any) -> Known:  # noqa: ANN401 - whatever stands in the file
    base_url = said["base_url"]
    lists = (said["certificates"], said["issuers"])
    if not isinstance(base_url, str) or not all(isinstance(each, list) for each in lists):
        raise TypeError
    return Known(base_url, *(tuple(map(str, each)) for each in lists))
