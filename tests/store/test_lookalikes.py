"""Recipients with confusable names, tracked as they appear, change and go."""

from __future__ import annotations

import pytest

from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.store.payable import LookalikeWarnings
from paytui.store.store import Store

CYRILLIC_O = "\N{CYRILLIC SMALL LETTER O}"
R1, R2, R3 = RecipientId("r1"), RecipientId("r2"), RecipientId("r3")


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def likeness(store: Store) -> LookalikeWarnings:
    return LookalikeWarnings(store)


def named(key: RecipientId, name: str, account: str | None = "a1") -> Recipient:
    return Recipient(key, account_id=AccountId(account) if account else None, company_name=name)


def test_recipients_that_can_be_told_apart_have_no_mark(
    store: Store, likeness: LookalikeWarnings
) -> None:
    store.recipients.put([named(R1, "Globex"), named(R2, "Initech")])
    assert likeness.marks() == {}


def test_of_two_that_look_alike_each_names_the_other(
    store: Store, likeness: LookalikeWarnings
) -> None:
    store.recipients.put([named(R1, "Globex"), named(R2, f"Gl{CYRILLIC_O}bex")])
    assert likeness.marks() == {
        R1: ("looks like r2",),
        R2: ("looks like r1", "mixes Cyrillic and Latin letters"),
    }


@pytest.mark.parametrize("name", ["Marcia", "Modern Clock", "Vivvi", "Irn & Cl"])
def test_letters_that_could_be_read_as_another_are_no_matter_while_no_name_is_like_it(
    store: Store, likeness: LookalikeWarnings, name: str
) -> None:
    store.recipients.put([named(R1, name), named(R2, "Globex")])
    assert likeness.marks() == {}


def test_two_that_differ_in_letters_drawn_alike_are_marked_and_a_third_is_not(
    store: Store, likeness: LookalikeWarnings
) -> None:
    store.recipients.put([named(R1, "Marcia"), named(R2, "Marda"), named(R3, "Maria")])
    assert likeness.marks() == {R1: ("looks like r2",), R2: ("looks like r1",)}


def test_the_very_same_name_is_told_too(store: Store, likeness: LookalikeWarnings) -> None:
    store.recipients.put([named(R1, "Globex"), named(R2, "Globex")])
    assert likeness.marks() == {R1: ("is named like r2",), R2: ("is named like r1",)}


def test_of_many_one_is_named_and_the_others_are_counted(
    store: Store, likeness: LookalikeWarnings
) -> None:
    store.recipients.put([named(R1, "Globex"), named(R2, "G1obex"), named(R3, "gl0bex")])
    assert likeness.marks()[R1] == ("looks like r2 and 1 more",)


def test_recipients_of_other_accounts_cannot_be_confused(
    store: Store, likeness: LookalikeWarnings
) -> None:
    store.recipients.put(
        [named(R1, "Globex"), named(R2, "Globex", "a2"), named(R3, "Globex", None)]
    )
    assert likeness.marks() == {}


def test_the_names_of_persons_count_as_well(store: Store, likeness: LookalikeWarnings) -> None:
    store.recipients.put(
        [
            Recipient(R1, first_name="Ann", last_name="Bell"),
            Recipient(R2, first_name="Ann", last_name="Be1l"),
        ]
    )
    assert likeness.marks()[R1] == ("looks like r2",)


def test_a_name_without_letters_is_like_none(store: Store, likeness: LookalikeWarnings) -> None:
    store.recipients.put([named(R1, "---"), named(R2, "...")])
    assert likeness.marks() == {}


def test_a_mark_goes_with_the_one_it_was_for(store: Store, likeness: LookalikeWarnings) -> None:
    store.recipients.put([named(R1, "Globex"), named(R2, "G1obex")])
    assert set(likeness.marks()) == {R1, R2}
    store.recipients.remove([R2])
    assert likeness.marks() == {}


def test_a_mark_goes_when_one_is_renamed_and_comes_where_it_is_like_another(
    store: Store, likeness: LookalikeWarnings
) -> None:
    store.recipients.put([named(R1, "Globex"), named(R2, "G1obex"), named(R3, "Hooli")])
    assert set(likeness.marks()) == {R1, R2}
    store.recipients.put([named(R2, "H0oli")])
    assert likeness.marks() == {R2: ("looks like r3",), R3: ("looks like r2",)}


def test_more_than_a_slice_is_taken_in(store: Store, likeness: LookalikeWarnings) -> None:
    for start in range(0, 1_500, 500):
        rows = [named(RecipientId(f"n{n}"), f"Name {n} of many") for n in range(start, start + 500)]
        store.recipients.put(rows)
    store.recipients.put([named(R1, "Name 22 0f many")])
    assert likeness.marks() == {
        R1: ("looks like n22",),
        RecipientId("n22"): ("looks like r1",),
    }


def test_one_name_for_all_is_told_of_each_at_no_more_than_a_look_at_each(
    store: Store, likeness: LookalikeWarnings
) -> None:
    """Each against all of 3,000 would be nine million comparisons."""
    compared = [0]

    class Counted(str):
        __slots__ = ()

        def __lt__(self, other: str) -> bool:
            compared[0] += 1
            return str.__lt__(self, other)

    for start in range(0, 3_000, 500):
        keys = [RecipientId(Counted(f"n{n:04}")) for n in range(start, start + 500)]
        store.recipients.put([named(key, "Globex") for key in keys])
    marks = likeness.marks()
    assert marks[RecipientId("n0000")] == ("is named like n0001 and 2998 more",)
    assert marks[RecipientId("n2999")] == ("is named like n0000 and 2998 more",)
    assert compared[0] < 100_000
