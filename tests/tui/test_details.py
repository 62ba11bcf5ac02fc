"""The detail of an object: its present state and its age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.domain.models import Account, AccountId, Kind, Recipient, RecipientId, State
from paytui.store.names import Related
from paytui.tui.details.common_facts import RelatedReader
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.widgets.status import StatusBar
from tests.support.intents import intent_row
from tests.tui.book import failed, groups_in_memory, payment
from tests.tui.dashboard import Dashboard, lines, shows, text, the_app, tick


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "kind"),
    [(("3", "enter"), Kind.WALLETS), (("enter",), Kind.PAYMENTS)],
    ids=["from a list", "from what needs attention"],
)
def test_a_detail_view_says_how_old_its_figures_are(
    ui: Dashboard, keys: tuple[str, ...], kind: Kind
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12,000.00 AUD")
        await pilot.press(*keys)
        await shows(pilot, "esc Back")
        assert "old" not in lines(pilot)[2]
        ui.clock.advance(245)
        failed(ui.store, kind, "503")
        await shows(pilot, f"{kind.value} 4 min old: 503, since 14:02")
        ui.clock.advance(60)
        await tick(pilot)
        assert lines(pilot)[2].endswith(f"{kind.value} 5 min old: 503, since 14:02 ─")

    ui.play(scenario, size=(120, 40))


def test_words_of_the_service_go_on_in_the_next_line_however_long_they_are(
    ui: Dashboard,
) -> None:
    state = "waiting_for_a_correspondent_bank_in_another_country"
    row = replace(payment(9, "1", state), status=State(state, known=False), reference="ab " * 60)
    ui.store.payments.put([row])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Payout 1.00 AUD")
        painted = text(pilot)
        assert painted.count("ab ab") >= 4
        assert painted.split().count("ab") == 60
        label = "".join(line[1:20].strip() for line in lines(pilot)[3:-1])
        assert state in label
        assert "? now, not in the dialect" in painted

    ui.play(scenario)


def test_whom_a_payment_went_to_is_told_by_our_own_record_where_the_service_does_not(
    ui: Dashboard,
) -> None:
    """E7: a service may tell of a payment no more than its amount and state."""
    told = payment(9, "1200.00")
    bare = replace(told, recipient_id=None, destination_wallet_id=None, payment_address_id=None)
    ui.store.payments.remove(ui.store.payments.keys())
    ui.store.payments.put([bare])
    ui.store.recipients.put([Recipient(RecipientId("rec-1"), company_name="Bolt")])
    became = intent_row(1, Standing.ACCEPTED, object_id=told.payment_transaction_id)
    ui.store.intents.put([became])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "Bolt (by our record)")
        await pilot.press("enter")
        await shows(pilot, "To recipient")
        [line] = [one for one in lines(pilot) if "To recipient" in one]
        assert "Bolt" in line
        assert "by our record" in line

    ui.play(scenario, size=(160, 40))


def test_a_company_has_no_empty_names_of_a_person(ui: Dashboard) -> None:
    recipient = Recipient(RecipientId("rec-9"), company_name="Globex")
    ui.store.recipients.put([recipient])
    context = ui.app().ui
    labels = [one.label for one in groups_in_memory(context, recipient)[0].facts]
    assert "Company name" in labels
    assert "First name" not in labels
    person = Recipient(RecipientId("rec-8"), first_name="Ada", last_name="Byron")
    assert "Company name" not in [one.label for one in groups_in_memory(context, person)[0].facts]
    corporate = Account(AccountId("acc-9"), kind="corporate", company_name="Acme")
    titles = [one.title for one in groups_in_memory(context, corporate)]
    assert "Company" in titles
    assert "Person" not in titles


def test_the_status_line_does_not_wait_for_related_rows(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    async def read(_: RelatedReader) -> Mapping[Kind, Related]:
        steps.append("related rows")
        return {}

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "End-to-end")
        monkeypatch.setattr(StatusBar, "show", lambda _: steps.append("status line"))
        monkeypatch.setattr(RelatedReader, "read", read)
        screen = the_app(pilot).screen
        assert isinstance(screen, DetailScreen)
        steps.clear()
        await screen.pull()
        assert steps[0] == "status line"

    ui.play(scenario)
