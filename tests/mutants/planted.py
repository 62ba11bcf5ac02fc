"""The planted bugs. Each is a mistake that somebody could make in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        name="a float on the way to a Decimal",
        file="paytui/api/jsontext.py",
        before="parse_float=_decimal, ",
        after="",
        test="tests/api/test_jsontext.py",
    ),
    Mutant(
        name="a superseded token that is used again",
        file="paytui/api/auth.py",
        before="        self._cell.held = None\n        found_dead",
        after="        found_dead",
        test="tests/api/test_rivals.py",
    ),
    Mutant(
        name="a token file that is believed whatever stands in it",
        file="paytui/api/token_file.py",
        before='        if contents.get("owner") != self._owner:\n',
        after="        if False:\n",
        test="tests/api/test_token_file.py",
    ),
    Mutant(
        name="a neighbour's renewal that is taken for a rival's",
        file="paytui/api/auth.py",
        before="            self._taken.pop()",
        after="            pass",
        test="tests/api/test_shared_token.py",
    ),
    Mutant(
        name="pauses that go on after a suspend",
        file="paytui/worker/resume.py",
        before="            resumed()",
        after="            pass",
        test="tests/worker/test_run.py",
    ),
    Mutant(
        name="an order whose second column is never turned",
        file="paytui/tui/widgets/sorting.py",
        before="return _Turned(comparable) if turned else comparable",
        after="return comparable",
        test="tests/tui/test_sorting.py",
    ),
    Mutant(
        name="an amount that loses its currency when the column of that is left out",
        file="paytui/tui/widgets/chosen_columns.py",
        before="return replace(column, cell=column.alone.cell)",
        after="return column",
        test="tests/tui/test_column_choice.py",
    ),
    Mutant(
        name="a countdown that counts its ticks",
        file="paytui/tui/widgets/countdown_cell.py",
        before="        shown = Content() if left is None else _content(left)\n",
        after=(
            "        if left is not None:\n"
            "            self._counted = getattr(self, '_counted', left + timedelta(seconds=1))\n"
            "            self._counted -= timedelta(seconds=1)\n"
            "        shown = Content() if left is None else _content(self._counted)\n"
        ),
        test="tests/tui/test_rates.py",
    ),
    Mutant(
        name="a string that is not cleaned at the wire",
        file="paytui/api/scalars.py",
        before="return clean(value)",
        after="return value",
        test="tests/api/test_scalars.py",
    ),
    Mutant(
        name="a wake-up without its guard",
        file="paytui/store/wake.py",
        before="        if self._pending:\n            return\n",
        after="",
        test="tests/store/test_wake.py",
    ),
    Mutant(
        name="a string that is not cleaned of controls",
        file="paytui/text.py",
        before='        case "Cc" | "Cs" | "Co" | "Cn":',
        after='        case "Cs" | "Co" | "Cn":',
        test="tests/test_text.py",
    ),
    Mutant(
        name="rows forgotten although the list was not whole",
        file="paytui/worker/intake.py",
        before="if complete and not skipped",
        after="if True",
        test="tests/worker/test_lists.py",
    ),
    Mutant(
        name="pollers that sleep on when the service is back",
        file="paytui/worker/link.py",
        before="if was_in_trouble",
        after="if False",
        test="tests/worker/test_trouble.py",
    ),
    Mutant(
        name="a filter that forgets a row: one that says nothing is neither that nor not that",
        file="paytui/store/filter.py",
        before="    return (lambda row: not test(row)) if term.negated else test",
        after=(
            "    told = [field.values for field in find_fields(term.field, known)]\n"
            "    return (\n"
            "        (lambda row: any(read(row) for read in told) and not test(row))\n"
            "        if term.negated\n"
            "        else test\n"
            "    )"
        ),
        test="tests/store/test_filter.py",
    ),
    Mutant(
        name="a cell that starts with = is handed to the spreadsheet as it is",
        file="paytui/store/export.py",
        before='return _FORMULA.sub("\'", value)',
        after="return value",
        test="tests/store/test_export.py",
    ),
    Mutant(
        name="a cell that is guarded at its beginning alone, and split at its semicolon",
        file="paytui/store/export.py",
        before=r"(?: \A | (?<=[;,\t\r\n]) )",
        after=r"(?: \A )",
        test="tests/store/test_export.py",
    ),
    Mutant(
        name="an identifier's 404 that switches a list off",
        file="paytui/api/caller.py",
        before='        if operation.name.startswith("get_"):\n            return False\n',
        after="",
        test="tests/worker/test_tracked.py",
    ),
    Mutant(
        name="one wallet's 404 that switches the others' lists off",
        file="paytui/api/caller.py",
        before="operation.name in self._working or in_error_shape",
        after="in_error_shape",
        test="tests/worker/test_tracked.py",
    ),
    Mutant(
        name="a record that loses its page",
        file="paytui/api/paging.py",
        before="self.reason = self.reason or str(error)\n                continue\n",
        after="self.reason = self.reason or str(error)\n                break\n",
        test="tests/api/test_paging.py",
    ),
    Mutant(
        name="a page read twice",
        file="paytui/api/paging.py",
        before="str(paging.first + self._requests)",
        after="str(paging.first + max(0, self._requests - 1))",
        test="tests/api/test_paging.py",
    ),
    Mutant(
        name="a record on two pages that is two records",
        file="paytui/api/paging.py",
        before="            if identity not in self._seen:\n",
        after="            if True:\n",
        test="tests/api/test_paging.py",
    ),
    Mutant(
        name="a deposit that goes to whichever wallet was asked for",
        file="paytui/worker/intake.py",
        before="if self._parents.setdefault(key, parent) != parent:",
        after="if False:",
        test="tests/worker/test_foreign_rows.py",
    ),
    Mutant(
        name="a service that quotes the secret back at the screen",
        file="paytui/api/failures.py",
        before="clean(answer.veil(text), SAID_LIMIT)",
        after="clean(text, SAID_LIMIT)",
        test="tests/api/test_veil.py",
    ),
    Mutant(
        name="a service that forgets which keys it has answered",
        file="paytui/sandbox/endpoint.py",
        before="        if earlier is not None:",
        after="        if earlier is not None and earlier.status >= 400:",
        test="tests/sandbox/test_ledger_machine.py",
    ),
    Mutant(
        name="raw JSON whose numbers have been through our own reading",
        file="paytui/api/raw.py",
        before="lambda: parse_verbatim(answer.body))",
        after="lambda: self._wire.raw(answer.body))",
        test="tests/api/test_raw.py",
    ),
    Mutant(
        name="raw JSON that quotes the secret",
        file="paytui/api/raw.py",
        before='answer.veil("\\n".join(lines)).split("\\n")',
        after="lines",
        test="tests/api/test_raw.py",
    ),
    Mutant(
        name="a raw answer that comes late and is shown all the same",
        file="paytui/worker/raw.py",
        before="                    reading.cancel()\n",
        after="                    pass\n",
        test="tests/worker/test_raw.py",
    ),
    Mutant(
        name="a timeline that claims what a rejected payment has been through",
        file="paytui/tui/details/journeys.py",
        before="            before = self.path[:1]\n",
        after="            before = self.path\n",
        test="tests/tui/test_timeline.py",
    ),
    Mutant(
        name="a cursor that stays at its place and not on its fact",
        file="paytui/tui/widgets/fact_sheet.py",
        before="            self._cursor = self._found_again(before)\n",
        after="            self._cursor = min(self._cursor, len(self._facts) - 1)\n",
        test="tests/tui/test_links.py",
    ),
    Mutant(
        name="an outbox that a second process sends from",
        file="paytui/outbox/owner.py",
        before="        if not self._taken(self._lock):\n            raise",
        after="        if not self._taken(self._lock) and False:\n            raise",
        test="tests/outbox/test_owner.py",
    ),
    Mutant(
        name="an outbox that is made anew over one that has lost what it held",
        file="paytui/outbox/opening.py",
        before="    if version(connection) == 0:\n",
        after="    if False:\n",
        test="tests/outbox/test_damage.py",
    ),
    Mutant(
        name="a body that is sent although it is not as it was confirmed",
        file="paytui/outbox/rows.py",
        before=' or hashlib.sha256(body).hexdigest() != named["body_hash"]',
        after="",
        test="tests/outbox/test_damage.py",
    ),
    Mutant(
        name="an outbox that is not committed",
        file="paytui/outbox/outbox.py",
        before='                self._connection.execute("COMMIT")\n',
        after="",
        test="tests/outbox/test_crash.py",
    ),
    Mutant(
        name="a rate that is dealt at in its last moments",
        file="paytui/tui/wizards/trade_machine.py",
        before="elif self._lock_has_ended(deal):",
        after="elif 1 > 2:",
        test="tests/tui/wizards/test_trade_machine.py",
    ),
    Mutant(
        name="a press that bounces and books a second trade",
        file="paytui/tui/wizards/trade_machine.py",
        before="if self._intent is not None or self._step is not Step.CONFIRM or deal is None:",
        after="if self._step is not Step.CONFIRM or deal is None:",
        test="tests/tui/wizards/test_trade_machine.py",
    ),
    Mutant(
        name="a deal that was changed after it was shown",
        file="paytui/tui/wizards/trade_machine.py",
        before="if review != shown:",
        after="if shown is None:",
        test="tests/tui/wizards/test_trade_machine.py",
    ),
    Mutant(
        name="an amount typed for another deal",
        file="paytui/tui/wizards/trade_machine.py",
        before='if self._typed.under == review else ""',
        after="",
        test="tests/tui/wizards/test_trade_machine.py",
    ),
    Mutant(
        name="a decision on an intent that has come to stand otherwise",
        file="paytui/tui/wizards/decision.py",
        before="elif shown != confirms:",
        after="elif not confirms:",
        test="tests/tui/wizards/test_decision_any_order.py",
    ),
    Mutant(
        name="a decision that is handed over at each press",
        file="paytui/tui/wizards/decision.py",
        before="self._go_to(Step.HANDED_OVER)",
        after="pass",
        test="tests/tui/wizards/test_decision_any_order.py",
    ),
    Mutant(
        name="an object that is another intent's already",
        file="paytui/tui/wizards/decision_options.py",
        before="if other.object_id == object_id and other.intent_id != row.intent_id:",
        after="if other.object_id == object_id and other.intent_id == row.intent_id:",
        test="tests/tui/wizards/test_decision_any_order.py",
    ),
)
