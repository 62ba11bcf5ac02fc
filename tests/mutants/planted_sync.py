"""Mistakes in reading only what changed. Somebody could make each in good faith."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

UNCHANGED = "tests/worker/test_unchanged.py"
CHANGES = "tests/worker/test_changes_alone.py"
NEWEST = "tests/worker/test_newest_first.py"
MISSED = "tests/worker/test_missed_or_late.py"
PAUSING = "tests/worker/test_pausing.py"
LEFT_OUT = "tests/worker/test_left_out.py"
PUSHED_OUT = "tests/worker/test_pushed_out.py"
TURNS = "tests/worker/test_turns.py"
UNTOLD = "tests/worker/test_pushed_out_untold.py"

MUTANTS = (
    Mutant(
        name="a long read that makes a key wait for it",
        file="paytui/worker/turns.py",
        before="if not store.right_of_way.is_claimed(clock.boot()):",
        after="if store.right_of_way.is_claimed(clock.boot()):",
        test=f"{TURNS}::test_it_waits_for_what_a_key_brings",
    ),
    Mutant(
        name="a key of which reads are told nothing",
        file="paytui/tui/driver.py",
        before="            self._app.go_first()",
        after="            pass",
        test="tests/tui/test_driver.py::test_a_key_is_answered_before_a_long_read_goes_on",
    ),
    Mutant(
        name="a key that is held down, and no list that is read on meanwhile",
        file="paytui/worker/turns.py",
        before="for _ in range(LOOKS):",
        after="while True:",
        test=f"{TURNS}::test_a_key_that_is_held_down_puts_no_read_off_for_ever",
    ),
    Mutant(
        name="a service that says for ever that nothing changed is believed for ever",
        file="paytui/worker/list_reads.py",
        before="        part.memory.begin(trusted=False)",
        after="        part.memory.begin(trusted=True)",
        test=(
            f"{UNCHANGED}::"
            "test_a_service_that_says_for_ever_that_nothing_changed_is_believed_for_half_an_hour"
        ),
    ),
    Mutant(
        name="a page that the list lost is remembered as if its rows were still there",
        file="paytui/api/memory.py",
        before="{key: kept for key, kept in self._kept.items() if key in self._met}",
        after="dict(self._kept)",
        test=f"{UNCHANGED}::test_a_page_that_a_list_lost_and_has_again_is_read_again",
    ),
    Mutant(
        name="a tag that is sent back without its W/",
        file="paytui/api/memory.py",
        before="        return kept.etag if kept else",
        after='        return kept.etag.removeprefix("W/") if kept else',
        test=f"{UNCHANGED}::test_the_next_read_names_the_tags_word_for_word_and_gets_no_body",
    ),
    Mutant(
        name="whatever stands for a tag is sent back",
        file="paytui/api/memory.py",
        before='self._etag if _TAG.fullmatch(self._etag) else ""',
        after="self._etag",
        test=f"{UNCHANGED}::test_a_tag_that_is_none_is_not_sent_back",
    ),
    Mutant(
        name="the newest change is believed although it lies in the future",
        file="paytui/worker/list_reads.py",
        before="(min(ground.updated, by_clock) - OVERLAP)",
        after="(ground.updated - OVERLAP)",
        test=f"{CHANGES}::test_a_change_that_is_dated_into_the_future_hides_no_other",
    ),
    Mutant(
        name="changes are asked for since now, not since the newest that was seen",
        file="paytui/worker/list_reads.py",
        before="(min(ground.updated, by_clock) - OVERLAP)",
        after="(self._time.earliest() - OVERLAP)",
        test=f"{CHANGES}::test_after_an_outage_all_that_changed_meanwhile_is_asked_for",
    ),
    Mutant(
        name="a list that is asked for changes alone is never read whole again",
        file="paytui/worker/list_reads.py",
        before="        if part.stale or part.swept is None:\n            return True",
        after="        return part.swept is None",
        test=(f"{CHANGES}::test_what_a_service_forgets_to_tell_is_found_within_half_an_hour"),
    ),
    Mutant(
        name="who is told what changed never looks for himself",
        file="paytui/worker/list_reads.py",
        before="            await self._look_around(part)\n",
        after="",
        test=f"{CHANGES}::test_what_becomes_visible_late_is_found_within_minutes",
    ),
    Mutant(
        name="a service that ignores what it is asked is asked again each time",
        file="paytui/worker/list_reads.py",
        before='            ground.no_changes = "read in pages: asked for changes, it sends all"\n',
        after="",
        test=(
            f"{CHANGES}::"
            "test_a_service_that_sends_everything_all_the_same_is_noticed_by_its_first_answer"
        ),
    ),
    Mutant(
        name="a list that comes empty all at once is believed at its first word",
        file="paytui/worker/intake.py",
        before="is_doubted = answers > 1 or remark or lacks_many",
        after="is_doubted = answers > 1 or remark",
        test=(
            "tests/worker/test_intake.py::"
            "test_a_list_that_lacks_many_at_once_is_read_again_before_it_is_believed"
        ),
    ),
    Mutant(
        name="what came from a cache is as young as the question for it",
        file="paytui/worker/polling.py",
        before="part.sent = sent - part.age",
        after="part.sent = sent",
        test=(
            "tests/worker/test_cached_answers.py::"
            "test_every_list_is_as_old_as_the_answers_that_it_was_read_from"
        ),
    ),
    Mutant(
        name="an answer that leaves out what changed is believed",
        file="paytui/worker/list_reads.py",
        before="        if updated is not None and since <= updated and changed not in met and",
        after="        if updated is None and since and changed not in met and",
        test=(
            f"{CHANGES}::test_a_service_that_looks_for_a_field_of_that_name_hides_no_new_payment"
        ),
    ),
    Mutant(
        name="a list whose history is newest first is taken to put what is new first",
        file="paytui/worker/list_reads.py",
        before="        return is_told or part.prepends\n",
        after="        return True\n",
        test=(
            f"{NEWEST}::"
            "test_what_is_appended_to_a_list_that_was_newest_first_is_seen_within_two_minutes"
        ),
    ),
    Mutant(
        name="a refusal to tell changes is a failure of the list",
        file="paytui/worker/list_reads.py",
        before="        except Refused as error:\n",
        after="        except NotFound as error:\n",
        test=(
            f"{CHANGES}::test_a_service_that_refuses_to_tell_is_read_in_other_ways_and_that_is_said"
        ),
    ),
    Mutant(
        name="what is in the table is known ground, though no list has held it yet",
        file="paytui/worker/intake.py",
        before="is_news = (self.table.version, len(part.held)) != (version, held)",
        after="is_news = self.table.version != version",
        test=f"{NEWEST}::test_what_an_intent_became_is_no_known_ground_before_it_was_listed",
    ),
    Mutant(
        name="a list in any order is taken to be newest first",
        file="paytui/worker/ground.py",
        before="                self.newest_first = False\n",
        after="                pass\n",
        test=f"{NEWEST}::test_a_list_that_is_not_newest_first_is_read_whole_each_time",
    ),
    Mutant(
        name="what is open further down is never looked at",
        file="paytui/worker/list_reads.py",
        before="        await self._open(part, met)\n",
        after="",
        test=f"{NEWEST}::test_what_is_open_is_seen_to_end_and_is_left_alone_then",
    ),
    Mutant(
        name="a total that does not fit is not noticed",
        file="paytui/worker/list_reads.py",
        before="part.ground.is_odd |= part.total !=",
        after="part.ground.is_odd |= False and part.total !=",
        test=f"{NEWEST}::test_a_total_that_does_not_fit_has_all_of_it_read_within_minutes",
    ),
    Mutant(
        name="all that is open is looked at in one read",
        file="paytui/worker/list_reads.py",
        before="                left -= 1\n",
        after="",
        test=(f"{NEWEST}::test_however_much_is_open_a_read_asks_for_no_more_than_sixteen_things"),
    ),
    Mutant(
        name="what is open and was not looked at is said to be as young as the first page",
        file="paytui/worker/parts.py",
        before="min(oldest, part.sent, part.owed)",
        after="min(oldest, part.sent)",
        test=f"{NEWEST}::test_what_is_shown_of_much_that_is_open_is_no_older_than_is_said",
    ),
    Mutant(
        name="a look that failed makes what is open as young as if it had been seen",
        file="paytui/worker/ground.py",
        before="        self._unseen.setdefault(key, since)\n",
        after="",
        test=(
            f"{MISSED}::test_a_look_that_fails_makes_what_is_open_no_younger_and_is_made_again_soon"
        ),
    ),
    Mutant(
        name="what cannot be looked at by itself is said to be as young as the first page",
        file="paytui/worker/list_reads.py",
        before="            part.owed = min(part.owed, part.whole)",
        after="            pass",
        test=(
            f"{MISSED}::test_what_is_open_and_cannot_be_read_by_itself"
            "_is_said_to_be_as_old_as_the_read_of_all"
        ),
    ),
    Mutant(
        name="a read of everything forgets what is open and no longer listed",
        file="paytui/worker/list_reads.py",
        before="        await self._left_out(part, part.held - seen, before, seen)\n",
        after="",
        test=f"{PUSHED_OUT}::test_one_that_is_pushed_out_and_then_fails_is_seen_to_fail",
    ),
    Mutant(
        name="what is open, no longer listed and not found by itself looks as fresh as the list",
        file="paytui/worker/list_reads.py",
        before="(ground.open | doubted) - seen",
        after="doubted - seen",
        test=(
            f"{PUSHED_OUT}::test_where_it_cannot_be_read_by_itself"
            "_all_is_as_old_as_its_last_sight_and_it_is_said"
        ),
    ),
    Mutant(
        name="a look beside the list that failed, and with it the read of the list",
        file="paytui/worker/list_reads.py",
        before="with suppress(ApiError):\n            await self._open",
        after="with suppress():\n            await self._open",
        test=(
            f"{PUSHED_OUT}::test_a_look_that_fails_makes_all_as_old_as_it_is"
            "_and_fails_no_read_of_the_list"
        ),
    ),
    Mutant(
        name="what is no longer listed is as fresh as what changed, though nobody tells of it",
        file="paytui/worker/list_reads.py",
        before="part.owed, part.lost = ground.owed_unlisted, ground.lost(self._boot() - LONG_OWED)",
        after='part.owed, part.lost = float("inf"), 0',
        test=(
            f"{UNTOLD}::test_where_it_cannot_be_read_by_itself"
            "_all_is_as_old_as_its_last_sight_and_it_is_said"
        ),
    ),
    Mutant(
        name="what is no longer listed is not looked at where changes are asked for",
        file="paytui/worker/list_reads.py",
        before="await self._look(part, (), iter(ground.due_unlisted(self._boot())))",
        after="pass",
        test=f"{UNTOLD}::test_one_that_is_pushed_out_and_then_fails_is_seen_to_fail",
    ),
    Mutant(
        name="a list that is cut short is thought to hold for half an hour what it held",
        file="paytui/worker/list_reads.py",
        before="(ground.by_id is False or self._may_have_pushed_out(part))",
        after="ground.by_id is False",
        test=f"{UNTOLD}::test_one_of_many_that_are_pushed_out_later_is_seen_to_fail_within_minutes",
    ),
    Mutant(
        name="a look beside the changes that failed, and with it the read of them",
        file="paytui/worker/list_reads.py",
        before="with suppress(ApiError):\n                await self._look",
        after="with suppress():\n                await self._look",
        test=(
            f"{UNTOLD}::test_a_look_that_fails_makes_all_as_old_as_it_is"
            "_and_fails_no_read_of_the_list"
        ),
    ),
    Mutant(
        name="all that is no longer listed keeps what it owes, although it was told of since",
        file="paytui/worker/ground.py",
        before="        self._unseen.pop(key, None)\n        status: State",
        after="        status: State",
        test=f"{UNTOLD}::test_one_that_is_told_of_all_the_same_makes_nothing_old_from_then_on",
    ),
    Mutant(
        name="what nobody finds is asked for every five seconds",
        file="paytui/worker/ground.py",
        before="in_vain * AGE_FACTOR",
        after="0.0",
        test=f"{PUSHED_OUT}::test_one_that_nobody_finds_is_asked_for_ever_less_often",
    ),
    Mutant(
        name="looks that come ever later although one read of everything would do",
        file="paytui/worker/list_reads.py",
        before="        is_less = ground.by_id is False or len(ground.due(now)) > ground.answers\n",
        after="        is_less = ground.by_id is False\n",
        test=f"{NEWEST}::test_what_is_shown_of_much_that_is_open_is_no_older_than_is_said",
    ),
    Mutant(
        name="changes that could not be read are not asked for again",
        file="paytui/worker/list_reads.py",
        before="            ground.updated = updated  # asked for again",
        after="            pass  # asked for again",
        test=f"{CHANGES}::test_a_change_that_cannot_be_read_is_asked_for_until_it_can_be",
    ),
    Mutant(
        name="polling that goes on while it is paused",
        file="paytui/worker/polling.py",
        before=(
            "        if self._shared.pace.pauses(self.kind):\n            await self._wake.wait()\n"
        ),
        after="",
        test=f"{PAUSING}::test_nothing_is_read_while_it_is_paused_and_at_once_when_it_goes_on",
    ),
    Mutant(
        name="a budget that what was not used is saved up for",
        file="paytui/api/budget.py",
        before="min(self._most, self._left + came)",
        after="self._left + came",
        test="tests/api/test_budget.py::test_what_was_not_used_is_not_saved_up_for_longer",
    ),
    Mutant(
        name="what an intent became is left out of memory before anybody looked at it",
        file="paytui/worker/sightings.py",
        before="                retention.hold(self._is_new)\n",
        after="                pass\n",
        test=(f"{LEFT_OUT}::test_what_an_intent_became_is_found_however_many_newer_ones_there_are"),
    ),
    Mutant(
        name="what an intent may have become is left out of memory, and it is sent again",
        file="paytui/worker/resolve.py",
        before="                retention.hold(self._may_have_become)\n",
        after="                pass\n",
        test=f"{LEFT_OUT}::test_what_it_may_have_become_holds_a_repeat_back",
    ),
    Mutant(
        name="what is in doubt is not looked for while polling is paused",
        file="paytui/worker/pace.py",
        before="return self.paused and kind not in self.in_doubt",
        after="return self.paused",
        test=(
            "tests/worker/test_resolve.py::"
            "test_it_is_looked_for_until_it_is_found_although_polling_is_paused"
        ),
    ),
    Mutant(
        name="a first read that was cut short empties the cache",
        file="paytui/store/store.py",
        before=" and not (feed.cut or feed.skipped)",
        after="",
        test=(
            "tests/store/cache/test_recall.py::"
            "test_what_a_first_read_that_was_not_whole_lacks_stays_until_a_whole_one"
        ),
    ),
    Mutant(
        name="what is still coming back from the cache is taken for read",
        file="paytui/store/cache/recall.py",
        before="            self._store.set_feed(self._feed(kept[kind]))",
        after="            pass",
        test=(
            "tests/store/cache/test_recall.py::"
            "test_what_is_still_coming_back_is_marked_from_its_first_row_on"
        ),
    ),
    Mutant(
        name="a read of everything that failed is no longer wanted",
        file="paytui/worker/list_reads.py",
        before=(
            "            part.ground = before  # with why it is to be read, and with what is open\n"
        ),
        after="",
        test=f"{MISSED}::test_a_read_of_all_that_fails_is_wanted_as_before",
    ),
    Mutant(
        name="a page that is known again is believed over what came late",
        file="paytui/worker/intake.py",
        before="            self._foreign.update(map(self.table.key, changes.rows))\n",
        after="",
        test=(
            f"{MISSED}::"
            "test_an_answer_that_comes_late_is_not_shown_for_longer_than_until_the_next_read"
        ),
    ),
    Mutant(
        name="a path that is not there, taken for a wallet that is gone",
        file="paytui/worker/tracked.py",
        before="except (NoSuchRead, NotOffered) as error:",
        after="except NotOffered as error:",
        test="tests/worker/test_as_created.py::test_what_was_created_stays_as_it_was_created",
    ),
    Mutant(
        name="a balance at creation that is shown for good",
        file="paytui/worker/as_created.py",
        before="    if isinstance(row, Wallet):\n",
        after="    if False:\n",
        test="tests/worker/test_as_created.py::test_what_was_created_stays_as_it_was_created",
    ),
)
