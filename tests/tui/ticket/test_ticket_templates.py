"""Templates are saved from a ticket or a payment, and opened from the palette."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from paytui.config.templates import (
    Kind,
    Template,
    read_templates,
    save_template,
)
from paytui.domain.money import CurrencyCode
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.model import Values
from paytui.tui.ticket.money import Order
from paytui.tui.ticket.templates import complaints, dated, repeated, template_of, values_of
from tests.tui.book import USD, read, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, until
from tests.tui.ticket.paying import GLOBEX, USD_BOLT, USD_DESK, Paying, said
from tests.tui.ticket.test_payment_start import MOVED, PAID
from tests.tui.ticket.trading import Trading

RENT = Template(
    name="Rent",
    profile="demo",
    kind="payout",
    recipient=GLOBEX,
    recipient_name="Globex",
    payment_address="adr-1",
    from_wallet=USD_DESK,
    from_wallet_name="USD desk",
    amount="1200",
    currency=USD,
    reference="Rent {month}",
)


def opened(paying: Paying, template: Template) -> Ticket[Order]:
    """Return the ticket of a payment's template."""
    return paying.ticket(template.kind, values_of(paying.ui, template))


class TestWhatATemplateHolds:
    def test_all_that_was_filled_in_with_names_for_the_reader(self) -> None:
        paying = Paying()
        ticket = paying.ready_payout("1200", "Rent {month}")
        assert ticket.draft is not None
        filled = ticket.task.filled(ticket.draft)
        assert template_of(paying.ui, "payout", "Rent", filled) == RENT

    @pytest.mark.parametrize("kind", ["payout", "transfer"])
    def test_a_payment_without_its_tag_and_no_account_number(
        self, tmp_path: Path, kind: Kind
    ) -> None:
        ui = Paying().ui
        payment = PAID if kind == "payout" else MOVED
        template = template_of(ui, kind, "Again", repeated(ui, payment))
        written = save_template(tmp_path, template).read_text()
        assert template.reference == ("INV 7 RETURN" if kind == "payout" else None)
        for words in ("PT-7K3QX9WD", "0001234", "021000021", "FNBAUS33"):
            assert words not in written
        assert template.to_wallet == (None if kind == "payout" else USD_BOLT)
        assert template.to_wallet_name == (None if kind == "payout" else "USD Bolt")

    def test_nothing_of_a_ticket_that_is_still_empty(self) -> None:
        found = template_of(Paying().ui, "transfer", "Later", {})
        assert found == Template(name="Later", profile="demo", kind="transfer")

    def test_what_the_service_asks_in_addition(self) -> None:
        ui = Paying().ui
        found = template_of(ui, "payout", "X", {"extra.purpose": "rent", "extra.note": ""})
        assert found.extra == {"purpose": "rent", "note": ""}
        assert values_of(ui, found) == {"extra.purpose": "rent", "extra.note": ""}

    @pytest.mark.parametrize(
        ("values", "held"),
        [
            (
                {"to": "wal-4", "sell_amount": "250k"},
                {"to_wallet": "wal-4", "to_wallet_name": "USD desk", "side": "sell"},
            ),
            (
                {"to": payee_key("rec-1"), "payment_address": "adr-1", "buy_amount": "250k"},
                {"recipient": "rec-1", "payment_address": "adr-1", "side": "buy"},
            ),
        ],
        ids=["wallet", "recipient"],
    )
    def test_a_trade_with_its_side_and_target_but_no_rate(
        self, values: Values, held: dict[str, str]
    ) -> None:
        ui = Trading().ui
        begun = {"sell": "AUD", "buy": "USD", "from_wallet": "wal-1", **values}
        found = template_of(ui, "trade", "Cover", {**begun, "rate": "locked"})
        assert found.sell == CurrencyCode("AUD")
        assert found.amount == "250k"
        assert {name: getattr(found, name) for name in held} == held
        assert values_of(ui, found) == begun

    def test_the_currency_that_an_amount_was_typed_in_whatever_wallet_was_chosen(self) -> None:
        values = {"from_wallet": "wal-1", "amount": "5", "currency": "USD"}
        assert template_of(Paying().ui, "payout", "X", values).currency == USD
        assert template_of(Paying().ui, "payout", "X", {"from_wallet": USD_DESK}).currency is None

    def test_no_number_of_any_account(self, tmp_path: Path) -> None:
        trading = Trading()
        values = {
            "sell": "AUD",
            "buy": "USD",
            "from_wallet": "wal-1",
            "to": payee_key("rec-1"),
            "sell_amount": "5",
        }
        written = save_template(tmp_path, template_of(trading.ui, "trade", "Cover", values))
        for one in trading.store.recipients.rows()[0].payment_addresses:
            for number in (one.account_number, one.routing_code, one.account_name):
                assert number
                assert number not in written.read_text()
        fields = set(Template.names())
        identifiers = {"recipient", "payment_address", "from_wallet", "to_wallet"}
        names = {"name", "profile", "kind", "recipient_name", "from_wallet_name", "to_wallet_name"}
        terms = {"sell", "buy", "side", "amount", "currency", "reference", "extra"}
        assert fields == identifiers | names | terms


class TestOpening:
    def test_a_whole_template_leads_to_the_confirmation_of_just_that(self) -> None:
        paying = Paying()
        ticket = opened(paying, RENT)
        assert ticket.view().name == "confirm"
        assert opened(paying, replace(RENT, amount=None)).view().name == "amount"
        assert list(complaints(paying.ui, RENT)) == []

    def test_the_identifier_counts_and_not_the_name_beside_it(self) -> None:
        ticket = opened(Paying(), replace(RENT, recipient_name="Wayne", amount=None))
        assert next(one.text for one in ticket.view().fields if one.key == "to") == "Globex"

    @pytest.mark.parametrize(
        ("template", "asks", "says"),
        [
            (replace(RENT, recipient="rec-99"), "to", "Rent: Globex (rec-99) is not listed"),
            (replace(RENT, from_wallet="wal-99"), "from", "Rent: USD desk (wal-99) is not listed"),
            (
                replace(RENT, payment_address="adr-99"),
                "bank account",
                "Rent: the account of Globex (adr-99) is not listed",
            ),
            (
                Template(
                    name="Sweep",
                    profile="demo",
                    kind="transfer",
                    from_wallet=USD_DESK,
                    to_wallet="wal-99",
                    amount="5",
                ),
                "to",
                "Sweep: wal-99 is not listed",
            ),
        ],
        ids=["recipient", "wallet", "account", "target"],
    )
    def test_what_is_gone_is_asked_for_and_told(
        self, template: Template, asks: str, says: str
    ) -> None:
        paying = Paying()
        assert opened(paying, template).view().name == asks
        (words,) = complaints(paying.ui, template)
        assert words.startswith(says)

    @pytest.mark.parametrize("source", ["wal-99", None], ids=["gone", "left open"])
    def test_an_amount_is_not_taken_for_one_in_another_currency(self, source: str | None) -> None:
        paying = Paying()
        paying.store.wallets.put([wallet(9, "AUD spare", "10")])
        ticket = opened(paying, replace(RENT, kind="transfer", **NO_PAYEE, from_wallet=source))
        assert ticket.view().name == "from"
        assert filled(ticket)["amount"] == "1200"
        ticket.chosen("wal-1")
        assert "amount" not in filled(ticket)

    def test_it_stays_where_another_wallet_of_its_currency_is_chosen(self) -> None:
        ticket = opened(Paying(), replace(RENT, from_wallet="wal-99"))
        ticket.chosen("wal-3")
        assert filled(ticket)["amount"] == "1200"

    @pytest.mark.parametrize("source", [None, "wal-99"])
    def test_an_amount_of_no_known_currency_is_left_out_and_told(self, source: str | None) -> None:
        paying, template = Paying(), replace(RENT, currency=None, from_wallet=source)
        assert "amount" not in filled(opened(paying, template))
        assert "Rent: the amount 1200 is left out, since its currency is not known." in " ".join(
            complaints(paying.ui, template)
        )

    def test_it_is_that_of_its_wallet_in_a_file_that_does_not_name_it(self) -> None:
        paying, template = Paying(), replace(RENT, currency=None)
        assert opened(paying, template).view().name == "confirm"
        assert list(complaints(paying.ui, template)) == []

    def test_of_a_trade_it_is_that_of_its_side(self) -> None:
        ui = Trading().ui
        cover = Template(name="Cover", profile="demo", kind="trade", amount="5", side="sell")
        assert "sell_amount" not in values_of(ui, cover)
        assert "add `sell` to the file" in " ".join(complaints(ui, cover))
        by_wallet = values_of(ui, replace(cover, from_wallet="wal-1"))
        assert (by_wallet["sell"], by_wallet["sell_amount"]) == ("AUD", "5")

    def test_a_wrong_amount_is_told_and_all_else_is_filled_in(self) -> None:
        paying, template = Paying(), replace(RENT, amount="12oo")
        ticket = opened(paying, template)
        view = ticket.view()
        assert (view.name, view.fields[0].text) == ("amount", "Globex")
        assert "12oo is not an amount. Try 2500, 1k or 1.5m." in said(ticket)

    def test_a_field_that_the_service_does_not_ask_for_is_told(self) -> None:
        (words,) = complaints(Paying().ui, replace(RENT, extra={"purpos": "rent"}))
        assert words.startswith("Rent: the service asks for no purpos: it is not sent. Remove")

    def test_a_reference_has_no_tag_of_an_earlier_payment(self) -> None:
        values = values_of(Paying().ui, replace(RENT, reference="INV 7 PT-7K3QX9WD"))
        assert values["reference"] == "INV 7"


NO_PAYEE: dict[str, Any] = {
    "recipient": None,
    "recipient_name": None,
    "payment_address": None,
}


def filled(ticket: Ticket[Order]) -> Values:
    """Return what is filled in now."""
    assert ticket.draft is not None
    return ticket.task.filled(ticket.draft)


class TestPlaceholders:
    @pytest.mark.parametrize(
        ("reference", "becomes"),
        [
            ("Rent {month} {year}", "Rent March 2026"),
            ("{date}/{day}", "2026-03-02/02"),
            ("{month}{month}", "MarchMarch"),
            ("Rent {moth}", "Rent {moth}"),
            ("{Month} {} {1} {month", "{Month} {} {1} {month"),
            ("{{year}}", "{2026}"),
            (None, None),
        ],
    )
    def test_known_ones_become_the_days_and_others_stay(
        self, reference: str | None, becomes: str | None
    ) -> None:
        assert dated(Paying().ui, reference) == becomes

    def test_the_day_is_that_of_the_display(self) -> None:
        paying = Paying()
        ui = paying.ui
        paying.clock.set_wall(datetime(2026, 2, 28, 23, 30, tzinfo=UTC))
        assert dated(ui, "{date}") == "2026-02-28"
        ui.zone = timezone(timedelta(hours=2))
        assert dated(ui, "{date} {month}") == "2026-03-01 March"

    def test_unknown_ones_are_told_once_each(self) -> None:
        template = replace(RENT, reference="{moth} {month} {moth} {Year} {month+1}")
        first, second, third = complaints(Paying().ui, template)
        assert first.startswith("Rent: {moth} in the reference stays as it is.")
        assert "{month}, {year}, {day}, {date}" in first
        assert "{Year}" in second
        assert "{month+1}" in third


# On screen


@pytest.fixture
def paying() -> Paying:
    return Paying()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "templates"


def dashboard(paying: Paying, folder: Path, *, read_only: bool = False) -> Dashboard:
    """A dashboard with a configuration beside the templates."""
    read(paying.store, paying.clock)
    settings = settings_of(read_only=read_only)
    profile = replace(settings.profile, file=folder.with_name("config.toml"))
    settings = replace(settings, profile=profile)
    return Dashboard(paying.store, paying.clock, settings=settings, port=paying.port)


async def command(pilot: Pilot[None], typed: str, offered: str) -> None:
    """Carry out a command of the palette."""
    await pilot.press("ctrl+p", *typed)
    await shows(pilot, offered)
    await pilot.press("enter")


@pytest.mark.slow
def test_a_ticket_is_saved_and_opened_again_with_the_present_month(
    paying: Paying, folder: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"globex", "enter", "down", "enter")
        await pilot.press(*"1200", "tab", *"Rent {month}", "ctrl+t")
        await shows(pilot, "Save as template")
        await pilot.press(*"Rent", "enter")
        await shows(pilot, "The reference of this ticket stays as typed.")
        assert "Rent {month}" in text(pilot)
        await pilot.press("escape")
        await command(pilot, "rent", "Pay: Rent")
        await shows(pilot, "Rent March")

    dashboard(paying, folder).play(scenario)
    [(path, template)] = read_templates(folder).by_file.items()
    assert path.name == "rent.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    assert tomllib.loads(path.read_text())["reference"] == "Rent {month}"
    assert (template.recipient, template.recipient_name) == (GLOBEX, "Globex")
    assert paying.port.submitted == []


@pytest.mark.slow
def test_a_payment_under_the_cursor_is_saved(paying: Paying, folder: Path) -> None:
    paying.store.payments.put([PAID])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"INV 7", "enter")
        await command(pilot, "save as", "Save as template")
        await shows(pilot, "name for the template")
        await pilot.press(*"Globex again", "enter")
        await shows(pilot, "Saved:")

    dashboard(paying, folder).play(scenario)
    [template] = read_templates(folder).by_file.values()
    assert template.amount == "1200.5"
    assert template.reference == "INV 7 RETURN"


@pytest.mark.slow
def test_an_existing_template_is_replaced_only_on_a_second_enter(
    paying: Paying, folder: Path
) -> None:
    path = save_template(folder, RENT)
    before = path.read_text()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"wayne", "enter", "ctrl+t", *"rent", "enter")
        await shows(pilot, "Rent exists. enter again: replace it.")
        assert path.read_text() == before
        await pilot.press("escape")
        await pilot.press("ctrl+t", *"rent", "enter")
        await shows(pilot, "Rent exists")
        await pilot.press("enter")
        await shows(pilot, "Saved:")

    dashboard(paying, folder).play(scenario)
    assert read_templates(folder).by_file[path].recipient_name == "Wayne"


@pytest.mark.slow
def test_what_is_no_name_is_told_and_asked_again(paying: Paying, folder: Path) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", "ctrl+t", "enter")
        await shows(pilot, "It must not be empty.")
        await pilot.press(*"../x", "enter")
        await shows(pilot, "Saved:")

    dashboard(paying, folder).play(scenario)
    assert [one.name for one in read_templates(folder).by_file.values()] == ["../x"]
    assert {one.name for one in folder.parent.iterdir()} <= {"templates", "config.toml"}


@pytest.mark.slow
def test_those_of_other_profiles_come_last_and_do_not_open(paying: Paying, folder: Path) -> None:
    save_template(folder, replace(RENT, name="A rent", profile="acme"))
    save_template(folder, replace(RENT, name="Z rent"))
    (folder / "b rent.toml").write_text("name = 1")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p", *"rent")
        await shows(pilot, "Pay: Z rent")
        await shows(pilot, "Template b rent.toml · ")
        shown = [line for line in lines(pilot) if " rent" in line]
        places = [
            next(place for place, line in enumerate(shown) if words in line)
            for words in ("Pay: Z rent", "Pay: A rent · of profile acme")
        ]
        assert places == sorted(places)
        await pilot.press("escape")
        await command(pilot, "pay: a rent", "Pay: A rent · of profile acme")
        await shows(pilot, "belongs to the profile acme; this is demo")
        assert "Payout" not in text(pilot)

    dashboard(paying, folder).play(scenario, size=(100, 30))


@pytest.mark.slow
def test_what_a_template_lacks_is_told_when_it_opens(paying: Paying, folder: Path) -> None:
    save_template(folder, replace(RENT, recipient="rec-99", reference="{moth}"))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await command(pilot, "rent", "Pay: Rent")
        await until(pilot, lambda: "Globex (rec-99) is not listed" in " ".join(text(pilot).split()))
        assert "{moth} in the reference" in " ".join(text(pilot).split())

    dashboard(paying, folder).play(scenario, size=(120, 40))


@pytest.mark.slow
@pytest.mark.parametrize("where", ["read-only", "without a configuration"])
def test_none_is_offered_where_none_can_be_used(paying: Paying, folder: Path, where: str) -> None:
    save_template(folder, RENT)
    paying.store.payments.put([PAID])
    is_read_only = where == "read-only"
    ui = dashboard(paying, folder, read_only=is_read_only)
    if not is_read_only:
        ui.settings = settings_of()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "ctrl+p", *"pay: rent")
        await shows(pilot, "No matches found")
        await pilot.press("escape")
        if not is_read_only:
            await command(pilot, "save as", "Save as template")
            await shows(pilot, "Templates are kept beside a configuration")

    ui.play(scenario)


@pytest.mark.slow
def test_the_key_in_a_review_saves_it_and_confirms_nothing(paying: Paying, folder: Path) -> None:
    paying.store.payments.put([PAID])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"INV 7", "enter", "P")
        await shows(pilot, "confirm")
        await pilot.press("ctrl+t", *"Again", "enter")
        await shows(pilot, "Saved:")
        assert paying.port.submitted == []

    dashboard(paying, folder).play(scenario)
    assert [one.name for one in read_templates(folder).by_file.values()] == ["Again"]


@pytest.mark.slow
def test_without_a_configuration_they_are_kept_where_the_demo_keeps_them(
    paying: Paying, folder: Path
) -> None:
    ui = dashboard(paying, folder)
    ui.settings = replace(settings_of(), templates=folder)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", "ctrl+t", *"Rent", "enter")
        await shows(pilot, "Saved:")
        await pilot.press("escape")
        await command(pilot, "rent", "Pay: Rent")
        await shows(pilot, "Payout")

    ui.play(scenario)
    assert [one.name for one in read_templates(folder).by_file.values()] == ["Rent"]
