"""The tickets of a payout and of a transfer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from paytui.config.key_bindings import first_key
from paytui.domain.intent import IntentRow
from paytui.domain.models import Payment, Recipient, Record, Wallet
from paytui.domain.money import Money
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.store import payable
from paytui.store.names import recipient_title, title_of
from paytui.store.payable import ANY_RECIPIENT, ANY_WALLET, Target, addresses_of
from paytui.tui.confirmation import Demand, demand
from paytui.tui.format.cells import Cell, Tone, amount_words
from paytui.tui.ticket import choices
from paytui.tui.ticket.choices import only_option, payee_key, payee_of, recent_first
from paytui.tui.ticket.field_names import ACCOUNT, AMOUNT, AMOUNT_IN, FROM, TO
from paytui.tui.ticket.model import Field, Line, Obstacle, Option, Values, having, line
from paytui.tui.ticket.money import MoneyTask, Order, code_of


class PaymentTask(MoneyTask[Order]):
    """A `payout` to a recipient, or a `transfer` between wallets of one currency."""

    noun = "Payment"

    @property
    def is_transfer(self) -> bool:
        return self.key == "transfer"

    # The fields

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        choice = partial(self._choice, values, filled)
        own = replace(ANY_WALLET, account_id=self.ui.scope)
        payer, currency = choice(FROM, "From", self._sources, own), self._currency(values, FROM)
        if self.is_transfer:
            payer = replace(payer, lacking=self._lacking(values, TO))
            target = choice(TO, "To", self._targets, ANY_WALLET)
            parties = [payer, replace(target, lacking=self._lacking(filled, FROM))]
        else:
            payee = choice(TO, "To", self._payees, ANY_RECIPIENT, hint="type a name")
            adds = first_key(self.ui.settings.keys, "recipients.new")
            payee = replace(payee, unknown=f"No such recipient. {adds} on Recipients (7) adds one.")
            parties = [payee, *self._account_fields(values, filled, currency), payer]
        meant = code_of(filled, AMOUNT_IN) or self._currency(filled, FROM)
        amount = self._amount_field(AMOUNT, filled, meant)
        return (*parties, amount, *self._written_fields(filled))

    def _lacking(self, values: Values, key: str) -> str:
        """Return what can be done if there is no other wallet in the currency of this one."""
        buys, currency = first_key(self.ui.settings.keys, "app.trade"), self._currency(values, key)
        return f"No other {currency} wallet. {buys} buys {currency}, or wait for a pay-in."

    # The options

    def _payees(self, values: Values, filled: Values) -> tuple[Option, ...]:
        payers = self._payers(values, values, TO)
        found = choices.recipients(self.ui, partial(payable.payee_trouble, payers))

        def paid(row: IntentRow) -> str | None:
            return row.terms.recipient_id and payee_key(row.terms.recipient_id)

        return recent_first(self.ui.store, found, paid)

    def _payers(self, values: Values, filled: Values, key: str) -> list[Wallet]:
        """Return the chosen wallet; once one is paid, another may need another wallet."""
        source = self._wallet(values, FROM) if key not in values else None
        return [source] if source else payable.payers(self.ui.store, self.ui.scope)

    def _sources(self, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return the wallets that can pay the chosen party.

        Once one was chosen, another may need another target.
        """
        target = self._wallet(values, TO) if FROM not in values else None
        currency = target.currency if target else None
        rows = self.ui.store.wallets.rows()
        usable = Counter(one.currency for one in rows if not payable.wallet_trouble(one))
        is_listed = not payable.unlisted(self.ui.store, ANY_WALLET)
        cannot_pay = self._payer_trouble(values)

        def trouble(wallet: Wallet) -> str:
            if found := payable.wallet_trouble(wallet, currency) or cannot_pay(wallet):
                return found
            is_only = self.is_transfer and usable[wallet.currency] <= 1 and is_listed
            return f"no other {wallet.currency} wallet" if is_only else ""

        return choices.wallets(self.ui.store, self.ui.scope, trouble, other=target)

    def _payer_trouble(self, values: Values) -> Callable[[Wallet], str]:
        """Return what tells why a wallet cannot pay the chosen recipient, at any chosen account."""
        recipient, address = self._recipient(values), self.paid(values)
        if recipient is None:
            return lambda _: ""
        known = (address,) if address else addresses_of(self.ui.store, recipient)
        return lambda wallet: payable.payee_trouble([wallet], recipient, known)

    def _targets(self, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return the wallets that a transfer can go to, of any account (service.md §1)."""
        trouble = partial(payable.wallet_trouble, currency=self._currency(filled, FROM))
        source = self._wallet(filled, FROM)
        return choices.wallets(self.ui.store, None, trouble, other=source)

    # What follows from the values

    def filled(self, values: Values) -> Values:
        values = self._with_account(values)
        is_open = values.get(AMOUNT) and AMOUNT_IN not in values  # what it is in is to be chosen
        if FROM not in values and not is_open:
            values = having(values, **{FROM: only_option(self._sources(values, values))})
        if self.is_transfer and TO not in values and self._wallet(values, FROM) is not None:
            values = having(values, **{TO: only_option(self._targets(values, values))})
        return values

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; an amount is meant in the currency of that moment."""
        if key != AMOUNT:
            return super().with_text(values, key, text)
        currency = self._currency(self.filled(values), FROM) if text else None
        return having(values, **{AMOUNT: text, AMOUNT_IN: currency})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with an option chosen, and without those that it makes impossible."""
        changed = having(values, **{key: choice})
        if key == TO:
            changed = having(changed, **{ACCOUNT: None})
        was, source = self.filled(values), self._wallet(changed, FROM)
        target = self._wallet(changed, TO)
        if key == FROM and source and target:
            is_behind = self._is_left_behind(target, was, changed)
            if is_behind or _target_trouble(source, target):
                changed = having(changed, **{TO: None})
        if key in (TO, ACCOUNT) and source and self._payer_trouble(changed)(source):
            changed = having(changed, **{FROM: None})
        before, after = (self._currency(one, FROM) for one in (was, self.filled(changed)))
        meant = changed.get(AMOUNT_IN) or before
        # A wallet that is gone had a currency, though it is not known.
        if after != meant and (meant or FROM in values) and (before or after):
            return having(changed, **{AMOUNT: None, AMOUNT_IN: None})
        return having(changed, **{AMOUNT_IN: after or meant}) if changed.get(AMOUNT) else changed

    # The order and its review

    def order(self, filled: Values) -> Order:
        source, target = self._parties(filled)
        paid, _, needs = self._amounts(filled)
        if needs.refusal:
            raise Obstacle(AMOUNT, needs.refusal)
        reference, extra = self._written(filled)
        request: Callable[..., PayoutRequest | TransferRequest]
        if isinstance(target, Wallet):
            party: Wallet | Recipient = target
            request = partial(TransferRequest, destination_wallet_id=target.wallet_id)
        else:
            party, account = target.recipient, target.address.payment_address_id
            request = partial(
                PayoutRequest, recipient_id=party.recipient_id, payment_address_id=account
            )
        return Order(
            source=source,
            target=target,
            request=request(
                account_id=source.account_id,
                source_wallet_id=source.wallet_id,
                amount=paid.amount,
                currency=paid.currency,
                reference=reference,
                extra=extra,
            ),
            title=f"{self.title} {amount_words(paid.amount, paid.currency)} to {title_of(party)}",
            spent=paid,
            demand=needs,
        )

    def _parties(self, filled: Values) -> tuple[Wallet, Target]:
        payee, payer = None, self._wallet(filled, FROM)
        if not self.is_transfer:
            payers = [*payable.payers(self.ui.store, self.ui.scope), *([payer] if payer else ())]
            payee = self._payee(filled, payers, payer.currency if payer else None)
        cannot_pay = self._payer_trouble(filled)
        source = self._party(
            filled, FROM, lambda one: payable.wallet_trouble(one) or cannot_pay(one)
        )
        return source, payee or self._party(filled, TO, partial(_target_trouble, source))

    def _amounts(self, filled: Values) -> tuple[Money, Money | None, Demand]:
        """Return the amount; one of another currency than the wallet's is an obstacle."""
        source = self._wallet(filled, FROM)
        if source is None or source.currency is None:
            raise Obstacle(AMOUNT, "")
        if (meant := filled.get(AMOUNT_IN, source.currency)) != source.currency:
            raise Obstacle(AMOUNT, f"This amount is in {meant}: type it in {source.currency}.")
        paid = Money(self._amount(AMOUNT, filled, source.currency), source.currency)
        return paid, paid, demand(self.ui.settings.profile, payee_of(filled.get(TO)), paid)

    def _order_lines(self, order: Order, *, hidden: bool) -> Iterator[Line]:
        source, target, spent = order.source, order.target, order.spent
        assert spent is not None
        yield Line("Amount", (Cell(amount_words(spent.amount, spent.currency), Tone.MONEY),))
        yield self._wallet_line("From", source)
        if isinstance(target, Wallet):
            yield self._wallet_line("To", target, source)
            yield line("To wallet id", target.wallet_id)
        else:
            yield line("To", recipient_title(target.recipient))
            yield line("Recipient id", target.recipient.recipient_id)
            yield from choices.bank_lines(target.address, hidden=hidden)

    # The end

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        yield from super()._became_lines(became)
        if not isinstance(became, Payment) or became.status is None:
            return
        if became.failure_reason:
            yield line("Failure reason", became.failure_reason)
        if became.end_to_end_id:
            yield line("End-to-end", became.end_to_end_id, tone=Tone.ACCENT)
        elif not became.status.final:
            yield line("End-to-end", "assigned on release", tone=Tone.MUTED)


def _target_trouble(source: Wallet, target: Wallet) -> str:
    is_same = target.wallet_id == source.wallet_id
    return "same wallet" if is_same else payable.wallet_trouble(target, source.currency)
