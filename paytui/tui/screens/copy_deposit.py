"""Copying all that somebody needs who sends money to a wallet."""

from __future__ import annotations

from paytui.domain.models import PayInAddress, Wallet
from paytui.tui.details.deposit import deposit_text
from paytui.tui.screens.frame import Frame
from paytui.tui.terminal.clipboard import copy


def takes_deposits(row: object) -> bool:
    """Whether money can be sent to an object: a pay-in address, or a wallet by those it has."""
    return isinstance(row, PayInAddress | Wallet)


def copy_deposit(frame: Frame) -> None:
    """Copy the deposit details of what is under the cursor, or say why there are none."""
    row = frame.selected
    if not isinstance(row, PayInAddress | Wallet):
        frame.notify("There is no wallet or pay-in address under the cursor.", markup=False)
    elif words := deposit_text(frame.desk, row):
        named = bool(frame.desk.settings.profile.payin_account_name)
        lacks = "" if named else ", without the account name: payin_account_name is not set"
        copy(frame.app, f"all deposit details{lacks}", words)
    else:
        frame.notify("This wallet has no pay-in address that was read.", markup=False)
