"""Nothing is confirmed by what only another run has seen: it is read first."""

from __future__ import annotations

import pytest

from paytui.api.models import Kind
from paytui.store.health import Feed
from paytui.tui.wizards.payment_machine import PaymentWizard
from paytui.tui.wizards.payment_order import PaymentDraft, PaymentKind
from tests.tui.wizards.paying import USD_BOLT, USD_DESK, Paying, confirm, said


def know(paying: Paying, kind: Kind, *, cached: bool) -> None:
    """A list was read, by this run or by another."""
    now = paying.clock.now()
    paying.store.set_feed(Feed(kind, as_of=now, read_at=paying.clock.boot(), cached=cached))


def confirmed_once_it_is_read(paying: Paying, wizard: PaymentWizard, kind: Kind) -> None:
    """It is not sent before, says why, and is sent then."""
    confirm(wizard)
    assert paying.port.submitted == []
    assert f"The {kind} shown are old; this can be confirmed once they are read." in said(wizard)
    know(paying, kind, cached=False)
    wizard.store_changed()
    confirm(wizard)
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize("old", [Kind.WALLETS, Kind.RECIPIENTS])
def test_no_payout_is_confirmed_by_an_old_wallet_or_recipient(old: Kind) -> None:
    paying = Paying()
    know(paying, old, cached=True)
    confirmed_once_it_is_read(paying, paying.ready_payout(), old)


def test_no_transfer_is_confirmed_by_old_wallets_and_recipients_do_not_matter() -> None:
    paying = Paying()
    know(paying, Kind.WALLETS, cached=True)
    know(paying, Kind.RECIPIENTS, cached=True)
    draft = PaymentDraft(
        kind=PaymentKind.TRANSFER,
        wallet_id=USD_DESK,
        destination_wallet_id=USD_BOLT,
        amount="5",
    )
    confirmed_once_it_is_read(paying, paying.wizard(draft), Kind.WALLETS)
