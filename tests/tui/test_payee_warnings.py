"""A payee that can be mistaken for another is marked when chosen and before payment."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Decision, Standing, Verdict
from paytui.domain.models import RecipientId
from paytui.store.names import recipient_title
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from tests.support.intents import row_of
from tests.tui.book import AUD_USD
from tests.tui.dashboard import Dashboard, shows, tells
from tests.tui.ticket.paying import USD_DESK, Paying, address, confirm, recipient, said
from tests.tui.ticket.trading import Trading

CYRILLIC_O = "\N{CYRILLIC SMALL LETTER O}"
FALSE = f"Gl{CYRILLIC_O}bex"


def with_impostor() -> Paying:
    paying = Paying()
    paying.store.recipients.put([recipient(9, FALSE, address(19, 9))])
    return paying


def test_the_question_to_whom_marks_both_of_two_that_look_alike() -> None:
    shown = said(with_impostor().payout(USD_DESK))
    assert "Globex | ! looks like rec-9  USD |" in shown
    assert f"{FALSE} | ! looks like rec-1, mixes Cyrillic and Latin letters  USD |" in shown


def test_the_questions_after_it_go_on_saying_so() -> None:
    wizard = with_impostor().payout(USD_DESK)
    wizard.chosen(payee_key("rec-9"))
    assert "amount" in said(wizard)
    assert f"To {FALSE} looks like rec-1, mixes Cyrillic and Latin letters" in said(wizard)


def test_the_confirm_step_says_of_whom_one_should_beware() -> None:
    shown = said(with_impostor().ready_payout())
    assert "! Globex looks like rec-9: verify the payee." in shown


def test_an_honest_recipient_has_no_mark() -> None:
    assert "looks like" not in said(Paying().ready_payout())
    assert "verify the payee" not in said(Paying().ready_payout())


def test_an_account_name_that_mixes_alphabets_is_told_before_it_is_paid() -> None:
    paying = Paying()
    false = replace(address(1, 1), account_name=f"{FALSE} Corporation")
    paying.store.recipients.put([recipient(1, "Globex", false)])
    assert (
        f"! The account name {FALSE} Corporation mixes Cyrillic and Latin letters: "
        "verify the payee."
    ) in said(paying.ready_payout())


def test_one_that_comes_to_look_alike_while_it_is_confirmed_has_to_be_seen_first() -> None:
    paying = Paying()
    wizard = paying.ready_payout()
    painted = wizard.view().confirms
    paying.store.recipients.put([recipient(9, FALSE, address(19, 9))])
    wizard.confirm(painted)
    assert paying.port.submitted == []
    assert "! Globex looks like rec-9: verify the payee." in said(wizard)
    confirm(wizard)
    assert len(paying.port.submitted) == 1


@pytest.mark.parametrize(
    ("standing", "verdict"),
    [
        (Standing.RECORDED, "send it now"),
        (Standing.IN_DOUBT, "send the same again, under the same key"),
    ],
)
def test_a_decision_to_send_says_it_too_beside_the_account(
    standing: Standing, verdict: str
) -> None:
    paying, decision = to_be_decided(standing)
    decision.chosen(verdict)
    shown = decision.view().confirms
    assert "looks like" not in said(decision)
    assert "Bank account 000123451  current account" in said(decision)
    paying.store.recipients.put([recipient(9, FALSE, address(19, 9))])
    decision.confirm(shown)
    assert paying.port.decided == []
    assert "! Globex looks like rec-9: verify the payee." in said(decision)
    decision.confirm(decision.view().confirms)
    assert len(paying.port.decided) == 1


def test_a_decision_to_send_names_a_wrong_iban_too() -> None:
    paying, decision = to_be_decided(Standing.RECORDED)
    account = replace(address(1, 1), iban="GB82WEST12345698765433")
    paying.store.recipients.put([recipient(1, "Globex", account)])
    decision.chosen(Verdict.SEND)
    assert "! IBAN: Wrong check digits" in said(decision)


def test_a_decision_that_sends_nothing_need_not_say_it() -> None:
    paying, decision = to_be_decided(Standing.IN_DOUBT)
    paying.store.recipients.put([recipient(9, FALSE, address(19, 9))])
    decision.chosen("it was not done")
    assert "verify the payee" not in said(decision)


def to_be_decided(standing: Standing) -> tuple[Paying, Ticket[Decision]]:
    """A payout to Globex that stands open."""
    paying = Paying()
    confirm(paying.ready_payout())
    row = row_of(paying.port.submitted[-1], standing)
    paying.store.intents.put([row])
    return paying, Ticket(DecisionTask(paying.ui, row))


@pytest.mark.parametrize(
    ("iban", "is_wrong"),
    [("GB82 WEST 1234 5698 7654 32", False), ("GB82WEST12345698765433", True)],
)
def test_a_payout_says_that_an_iban_has_wrong_check_digits(iban: str, *, is_wrong: bool) -> None:
    """The first is the example of the standard's registry, the second has another last digit."""
    paying = Paying()
    account = replace(address(1, 1), iban=iban)
    paying.store.recipients.put([recipient(1, "Globex", account)])
    words = "! IBAN: Wrong check digits: the IBAN contains a typo. Verify it with the payee."
    assert (words in said(paying.ready_payout())) is is_wrong


def test_a_trade_that_pays_somebody_says_it_too() -> None:
    trading = Trading()
    [payee] = trading.store.recipients.rows()
    impostor = replace(payee, recipient_id=RecipientId("rec-9"), payment_addresses=())
    trading.store.recipients.put([impostor])
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = trading.ticket(
        {"from_wallet": "wal-1", "to": payee_key("rec-1"), "reference": "Invoice 42"}
    )
    assert re.search(f"Into {recipient_title(payee)} .*is named like rec-9", said(ticket))
    ticket.typed("1000")
    ticket.go_on()
    words = f"! {recipient_title(payee)} is named like rec-9: verify the payee."
    assert words in said(ticket)


def test_the_list_marks_also_the_one_that_was_there_first(empty: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.store.recipients.put([recipient(1, "Globex", address(1, 1))])
        ui.store.notify()
        await pilot.press("7")
        await shows(pilot, "Globex")
        ui.store.recipients.put([recipient(9, FALSE, address(19, 9))])
        ui.store.notify()
        await shows(pilot, "! Globex looks like rec-9")
        await shows(pilot, f"! {FALSE} looks like rec-1, mixes Cyrill")
        ui.store.recipients.remove([recipient(9, FALSE).recipient_id])
        ui.store.notify()
        await shows(pilot, " Globex  ")
        await pilot.press("enter")
        await tells(pilot, "Company name Globex")

    empty.play(scenario, size=(120, 30))


@pytest.mark.slow
def test_the_detail_says_it_in_full(empty: Dashboard) -> None:
    rows = [recipient(1, "Globex", address(1, 1)), recipient(9, FALSE, address(19, 9))]
    empty.store.recipients.put(rows)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("7")
        await shows(pilot, "! Globex")
        await pilot.press("enter")
        await tells(pilot, "Warning name looks like rec-9")

    empty.play(scenario, size=(120, 40))


def test_a_name_without_end_hides_nothing_of_what_is_confirmed() -> None:
    paying = Paying()
    paying.store.recipients.put([recipient(1, "Globex " * 250, address(1, 1))])
    view = paying.ready_payout().view()
    to = next(line for line in view.lines if line.label == "To")
    assert len(to.cells[0].text) == 200
    assert to.cells[0].text.endswith("…")
    assert max(len(cell.text) for line in view.lines for cell in line.cells) <= 200
