"""The columns of lists in a configuration."""

from __future__ import annotations

import pytest

from tests.config.loader import MINIMAL, Loader


def test_without_a_choice_each_list_shows_its_own(load: Loader) -> None:
    assert load(MINIMAL).columns == {}


def test_columns_are_those_that_were_named_in_their_order_and_once(load: Loader) -> None:
    settings = load(f'{MINIMAL}[columns]\npayments = ["state", "amount", "state"]\n')
    assert settings.columns == {"payments": ("state", "amount")}
    assert settings.origins["columns.payments"] == "config.toml:5"
    assert settings.origins["columns.trades"] == "default"


def test_a_name_that_is_no_column_is_told_with_the_nearest_and_all_that_there_are(
    load: Loader,
) -> None:
    error = load.refusal(f'{MINIMAL}[columns]\ntrades = ["created", "bougth"]\n')
    assert (error.file, error.key, error.line) == (load.path, "columns.trades", 5)
    assert error.message == "names no column of this list in place 2"
    assert error.remedy == (
        "Did you mean bought? There are: created, sold, pair, bought, rate, state, account, "
        "reference, from, to, exchanged, dealt, trade-id, account-id, rate-sheet-id, "
        "sell-wallet-id, buy-wallet-id, recipient-id, address-id."
    )


def test_a_name_that_is_like_none_is_told_with_all_that_there_are(load: Loader) -> None:
    error = load.refusal(f'{MINIMAL}[columns]\ntrades = ["xyzzy"]\n')
    assert error.remedy.startswith("There are: created, sold, pair, bought,")


@pytest.mark.parametrize("chosen", ["[]", '"created"'])
def test_what_names_no_columns_is_refused_with_its_key(load: Loader, chosen: str) -> None:
    error = load.refusal(f"{MINIMAL}[columns]\npayins = {chosen}\n")
    assert error.key.startswith("columns.payins")


def test_a_list_that_there_is_not_is_told_with_the_nearest(load: Loader) -> None:
    error = load.refusal(f'{MINIMAL}[columns]\npayment = ["amount"]\n')
    assert (error.key, error.remedy) == ("columns.payment", "Did you mean payments?")
