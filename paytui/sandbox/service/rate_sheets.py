"""Rate sheets: rates locked for 150 seconds (service.md §2, §8)."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal

from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert
from paytui.sandbox.messages import Json, JsonObject, conflict, dump, invalid, one, unknown
from paytui.sandbox.service.resources import Resource

MOST_PAIRS = 400

SHEETS = Resource(
    table="rate_sheets",
    key="rateSheetId",
    columns=("rateSheetId", "createdAt", "expiresAt", "rates", "unavailable"),
    nested=frozenset({"rates", "unavailable"}),
)


def create(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /rate-sheets`: a rate for each pair, or the reason why there is none."""
    fields = BodyReader(call.body)
    asked = fields.parts("currencyPairs", MOST_PAIRS)
    pairs = [(part.text("sellCurrency"), part.text("buyCurrency")) for part in asked]
    fields.check()
    rates: list[Json] = []
    unavailable: list[Json] = []
    for sell, buy in pairs:
        pair: JsonObject = {"sellCurrency": sell, "buyCurrency": buy}
        reason = bank.market.unavailable(sell, buy)
        if reason is None:
            rates.append({**pair, "rate": format(bank.market.rate(sell, buy, call.now), "f")})
        else:
            unavailable.append({**pair, "reason": reason})
    sheet_id = bank.new_id("rate_sheet")
    insert(bank.db, "rate_sheets", {
        "rateSheetId": sheet_id,
        "clientId": call.client_id,
        "createdAt": iso(call.now),
        "expiresAt": iso(call.now + timedelta(seconds=bank.options.sheet_lifetime)),
        "rates": dump(rates),
        "unavailable": dump(unavailable),
    })  # fmt: skip
    return one(SHEETS.get(bank.db, sheet_id))


def locked_rate(bank: Bank, call: Call, sheet_id: str, sell: str, buy: str) -> Decimal:
    """Return the rate of a pair on a sheet, valid strictly before the sheet's end.

    Raises:
        ApiError: 404 for an unknown sheet, 409 for an expired one, 400 for one without the pair.
    """
    query = "SELECT expiresAt, rates FROM rate_sheets WHERE rateSheetId = ? AND clientId = ?"
    row = bank.db.execute(query, (sheet_id, call.client_id)).fetchone()
    if row is None:
        raise unknown("rateSheetId", sheet_id)
    if row["expiresAt"] <= iso(call.now):
        message = f"the rate sheet expired at {row['expiresAt']}"
        raise conflict("rate_sheet_expired", message, "rateSheetId")
    for line in json.loads(row["rates"]):
        if (line["sellCurrency"], line["buyCurrency"]) == (sell, buy):
            return Decimal(line["rate"])
    raise invalid("rateSheetId", f"the sheet has no rate for {sell} to {buy}")
