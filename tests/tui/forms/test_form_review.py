"""Facts of a form that change, and its options by what they do not show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from paytui.domain.intent import Standing
from paytui.domain.models import AccountId, Kind, State
from paytui.domain.requests import DialectFeatures
from paytui.store.health import Feed
from paytui.tui.forms.declarations import (
    form_ticket,
    payin_address_form,
    payment_address_form,
    recipient_form,
    wallet_form,
)
from paytui.tui.forms.form import Form, Submission
from paytui.tui.ticket.engine import END, Ticket
from paytui.tui.ui_context import UiContext
from tests.support.intents import intent_row
from tests.tui.book import AUD, wallet
from tests.tui.ticket.paying import EUR, Paying, recipient, said

WALLET = {"account_id": "acc-2", "currency": "USD", "wallet_name": "USD desk"}
CHANGED = "Details changed while you were confirming. Please review."


def reviewed(paying: Paying) -> Ticket[Submission]:
    """Return the ticket of a new wallet under review."""
    ticket = form_ticket(paying.ui, wallet_form(paying.ui), "", WALLET)
    ticket.go(END)
    return ticket


def test_a_possible_duplicate_that_comes_up_in_a_review_is_seen_before_it_is_sent() -> None:
    paying = Paying()
    ticket = reviewed(paying)
    shown = ticket.view().confirms
    assert shown is not None
    paying.store.intents.put([intent_row(9, Standing.SENDING, title="Wallet USD desk")])
    ticket.confirm(shown)
    assert paying.port.submitted == []
    assert "Possible duplicate of PT-00000009" in said(ticket)
    assert CHANGED in said(ticket)
    ticket.confirm(ticket.view().confirms)
    assert [intent.title for intent in paying.port.submitted] == ["Wallet USD desk"]


def test_a_remark_on_a_field_that_comes_up_in_a_review_is_seen_before_it_is_sent() -> None:
    paying = Paying()
    ticket = reviewed(paying)
    shown = ticket.view().confirms
    known = paying.store.accounts.get(AccountId("acc-2"))
    assert shown is not None
    assert known is not None
    paying.store.accounts.put([replace(known, status=State("compliance_review"))])
    ticket.confirm(shown)
    assert paying.port.submitted == []
    assert "Account: The account is in compliance review" in said(ticket)
    assert CHANGED in said(ticket)


@pytest.mark.parametrize("is_listed", [True, False])
@pytest.mark.parametrize("text", ["acc-2", "ACC-2", " acc-2 "])
@pytest.mark.parametrize("form", [wallet_form, recipient_form])
def test_an_account_is_found_by_an_identifier_that_is_not_shown(
    form: Callable[[UiContext], Form], text: str, is_listed: bool
) -> None:
    paying = Paying()
    paying.store.set_feed(Feed(Kind.ACCOUNTS, offered=is_listed))
    ticket = form_ticket(paying.ui, form(paying.ui))
    ticket.typed(text)
    view = ticket.view()
    assert [one.key for one in view.options] == ["acc-2"]
    assert "acc-2" not in f"{view.options[0].name} {view.options[0].facts}"
    ticket.go_on()
    assert (ticket.draft or {})["account_id"] == "acc-2"


def test_the_object_that_a_form_is_about_is_found_by_its_identifier() -> None:
    paying = Paying()
    for form, identifier in (
        (payin_address_form(paying.ui, wallet(1, "AUD desk", "0")), "wal-1"),
        (payment_address_form(paying.ui, recipient(1, "Globex")), "rec-1"),
    ):
        ticket = form_ticket(paying.ui, form)
        ticket.go(-1)
        ticket.typed(identifier)
        assert [one.key for one in ticket.view().options] == [identifier]


def test_a_currency_that_the_payer_holds_no_wallet_of_is_warned_of() -> None:
    paying = Paying()
    now = paying.clock.now()
    paying.store.set_feed(Feed(Kind.WALLETS, as_of=now, read_at=paying.clock.boot()))
    paying.ui.vocabulary = DialectFeatures(currencies=(EUR, AUD))
    form = recipient_form(paying.ui)
    start = {"account_id": "acc-2", "company_name": "Zenith"}
    first = "payment_addresses.0"
    start |= {f"{first}.currency": "AUD", f"{first}.account_type": "cacc"}
    ticket = form_ticket(paying.ui, form, "", start)
    ticket.go(END)
    assert "! Currency: Bolt has no AUD wallet: only a trade can pay it." in said(ticket)
    assert "Account name Zenith" in said(ticket)  # as the company's, until it is edited
    ticket = form_ticket(paying.ui, form, "", {**start, "account_id": "acc-1"})
    ticket.go(END)
    assert "Currency:" not in said(ticket)
    known = ticket.task.fields(start, start)
    [currency] = [one for one in known if one.key == f"{first}.currency"]
    assert currency.options is not None
    facts = [(one.key, one.facts) for one in currency.options()]
    assert facts == [("AUD", ""), ("EUR", "no wallet")]
    edited = {**start, f"{first}.account_name": ""}
    assert ticket.task.filled(edited)[f"{first}.account_name"] == ""
