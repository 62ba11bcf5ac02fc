"""The token of a profile, shared by the processes on this machine."""

from __future__ import annotations

import warnings
from pathlib import Path

from paytui.api.http.shared_token import SharedTokenCell, TokenFile
from paytui.api.http.token import TokenCell
from paytui.config.settings import Profile
from paytui.platform.clock import Clock, boot_id
from paytui.platform.files import owner_key


def token_cell(profile: Profile, clock: Clock) -> TokenCell:
    """Return a cell in the profile's token file, or in the user's runtime folder.

    Without such a folder the token is this process's own, and `unshared` says why.
    """
    owner = owner_key(profile.base_url, profile.client_id)
    boot = boot_id()
    try:
        path = profile.token_file or _runtime_folder() / f"token-{owner}"
    except OSError as error:
        return _alone(str(error))
    if boot is None:
        return _alone("this system does not tell one boot from the next")
    return SharedTokenCell(TokenFile(path, owner, boot, clock), clock)


def _runtime_folder() -> Path:
    from platformdirs import user_runtime_path

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it falls back to another folder
        return user_runtime_path("paytui", appauthor=False, ensure_exists=True)


def _alone(reason: str) -> TokenCell:
    cell = TokenCell()
    cell.unshared = reason
    return cell
