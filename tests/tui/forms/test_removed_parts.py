"""A part of a repeated section that is removed leaves nothing behind."""

from __future__ import annotations

from paytui.tui.forms.declarations import form_ticket, individual_form
from tests.tui.ticket.paying import Paying


def test_a_form_is_whole_again_once_its_last_part_is_removed() -> None:
    paying = Paying()
    ticket = form_ticket(paying.ui, individual_form(paying.ui))
    ticket.typed("Ann")
    while (field := ticket.view().field) is None or not field.key.endswith("#"):
        ticket.go(1)
    before = ticket.task.order(ticket.draft or {})
    ticket.move(1)
    ticket.go_on()
    ticket.act("remove")
    assert ticket.task.order(ticket.draft or {}) == before


def test_a_part_that_is_added_by_its_key_is_one_whatever_was_typed() -> None:
    ticket = form_ticket((paying := Paying()).ui, individual_form(paying.ui))
    while (field := ticket.view().field) is None or not field.key.endswith("#"):
        ticket.go(1)
    ticket.typed("add")
    ticket.act("add")
    assert (ticket.draft or {})[field.key] == "1"
    assert ticket.view().section == "Representative 1"
    ticket.act("add")
    assert ticket.view().section == "Representative 2"
