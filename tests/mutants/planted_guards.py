"""Mistakes with who is let in, whom a desk knows, and what it never sends."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

WAY = "tests/api/test_way.py::"
LEADS = "tests/cli/test_meet_host.py::TestWhereAProfileLeads::"
PROVES = "tests/cli/test_meet_host.py::TestWhatProvesTheHost::"
MEMORY = "tests/cli/test_meet_host.py::TestTheMemoryItself::"
OPERATOR = "tests/config/test_operator.py::"
LIMITS = "tests/test_limits.py::"
PAID = "tests/store/test_acquaintance.py::"
OLD = "tests/tui/wizards/test_one_failing_list.py::"
ALIKE = "tests/store/test_likeness.py::"
IDLE = "tests/tui/guards/test_idle.py::"
REPORT = "tests/cli/test_crash_report.py::"

MUTANTS = (
    Mutant(
        name="authorities that browsers trust, beside the one that is named",
        file="paytui/api/way.py",
        before="        context.load_verify_locations(way.ca_file)\n",
        after=(
            "        context.load_verify_locations(certifi.where())\n"
            "        context.load_verify_locations(way.ca_file)\n"
        ),
        test=f"{WAY}TestTheAuthority::test_beside_it_none_is_not_even_those_of_browsers",
    ),
    Mutant(
        name="a doorkeeper whom nobody asks",
        file="paytui/api/way.py",
        before="        return self.doorkeeper.meet(certificate)\n",
        after="        return None\n",
        test=f"{WAY}TestTheDoorkeeper::test_what_it_objects_to_is_sent_nothing",
    ),
    Mutant(
        name="real money that goes from one sandbox to another unasked",
        file="paytui/cli/meet_host.py",
        before="is_practice = not profile.live and",
        after="is_practice =",
        test=f"{LEADS}test_where_real_money_moves_it_is_asked_on_this_machine_too",
    ),
    Mutant(
        name="a sandbox that anything may come after",
        file="paytui/cli/meet_host.py",
        before="_is_local(before) and _is_local(profile.base_url)",
        after="_is_local(before)",
        test=f"{LEADS}test_between_a_sandbox_and_a_service_it_is_asked",
    ),
    Mutant(
        name="a tunnel that begins on this machine, taken for a sandbox",
        file="paytui/cli/meet_host.py",
        before='return parts.scheme == "http" and is_loopback(',
        after="return is_loopback(",
        test=f"{LEADS}test_between_a_sandbox_and_a_service_it_is_asked",
    ),
    Mutant(
        name="a new place that counts as known once it was refused",
        file="paytui/cli/meet_host.py",
        before="        _make_sure(words, is_practice=",
        after="        known.remember()\n        _make_sure(words, is_practice=",
        test=f"{LEADS}test_and_refused_again_until_somebody_says_that_it_may",
    ),
    Mutant(
        name="a secret for a place that nobody was asked about",
        file="paytui/cli/known_host.py",
        before="if read is not None and not is_ours and self._met is None:",
        after="if False:",
        test=f"{PROVES}test_where_the_profile_leads_elsewhere_and_nobody_was_asked_nothing_is_sent",
    ),
    Mutant(
        name="a place that a profile was led to meanwhile, which lets anybody into what runs",
        file="paytui/cli/known_host.py",
        before="if not known.issuers and self._met is not None:",
        after="if False:",
        test=(f"{PROVES}test_a_dashboard_goes_on_although_its_profile_is_led_elsewhere_meanwhile"),
    ),
    Mutant(
        name="an acceptance that outlasts its start",
        file="paytui/cli/known_host.py",
        before="    def remember(self) -> None:\n",
        after=(
            "    def remember(self) -> None:\n"
            "        if self._profile.accepts_new_host:\n"
            "            self.path.unlink(missing_ok=True)\n"
        ),
        test=f"{PROVES}test_nor_into_a_later_start_that_accepts_nobody",
    ),
    Mutant(
        name="an acceptance that holds after a certificate was met",
        file="paytui/cli/known_host.py",
        before="if self._met is not None or not self._profile.accepts_new_host:",
        after="if not self._profile.accepts_new_host:",
        test=f"{PROVES}test_who_was_accepted_is_the_one_that_later_starts_go_by",
    ),
    Mutant(
        name="whoever vouches for another place, let into what runs",
        file="paytui/cli/known_host.py",
        before="known = read if is_ours and read is not None else",
        after="known = read if read is not None else",
        test=f"{PROVES}test_nor_is_who_vouches_for_that_other_place_let_into_one_that_runs",
    ),
    Mutant(
        name="a memory of hosts that others may have written",
        file="paytui/cli/known_host.py",
        before="            check_private(status, self.path, os.geteuid())\n",
        after="",
        test=f"{MEMORY}test_what_others_can_write_is_not_believed",
    ),
    Mutant(
        name="a memory of hosts that lies behind a link",
        file="paytui/cli/known_host.py",
        before="os.O_RDONLY | os.O_NOFOLLOW | ",
        after="os.O_RDONLY | ",
        test=f"{MEMORY}test_nor_is_what_a_link_leads_to",
    ),
    Mutant(
        name="an operator's file that others can put another in place of",
        file="paytui/config/operator.py",
        before="    _judge(place, place.path.parent, place.path.parent.stat())\n",
        after="    place.path.parent.stat()\n",
        test=f"{OPERATOR}test_a_folder_in_which_others_could_put_another_file_lets_nothing_start",
    ),
    Mutant(
        name="an operator's folder on a disk that is not there, taken for none",
        file="paytui/config/operator.py",
        before="if any(map(_leads_nowhere, (path, path.parent))):",
        after="if _leads_nowhere(path):",
        test=f"{OPERATOR}test_a_link_to_where_it_is_not_lets_nothing_start",
    ),
    Mutant(
        name="an operator's way to unlock that is whatever a user calls so",
        file="paytui/config/operator.py",
        before="and not Path(program[0]).is_absolute()",
        after="and not program[0]",
        test=f"{OPERATOR}test_a_file_that_says_what_none_can_lets_nothing_start",
    ),
    Mutant(
        name="an amount that nobody knows, sent whatever the limit",
        file="paytui/limits.py",
        before="amount is None or amount > most",
        after="amount is not None and amount > most",
        test=f"{LIMITS}test_an_amount_is_refused_where_any_limit_is_below_it",
    ),
    Mutant(
        name="a limit that a currency in small letters gets around",
        file="paytui/limits.py",
        before="CurrencyCode(currency.strip().upper())",
        after="CurrencyCode(currency.strip())",
        test=f"{LIMITS}test_a_limit_holds_however_the_service_writes_its_currency",
    ),
    Mutant(
        name="a limit on one side of a trade that the other side gets around",
        file="paytui/limits.py",
        before="        yield other_amount(pair, fixed, amount, rate), turned\n",
        after="        yield Decimal(0), turned\n",
        test=(
            "tests/worker/test_limits.py::"
            "test_a_limit_on_the_side_that_is_not_fixed_holds_at_the_locked_rate"
        ),
    ),
    Mutant(
        name="a limit that judges a trade by a rate of long ago",
        file="paytui/store/known_rate.py",
        before=", reverse=True)",
        after=")",
        test=(
            f"{LIMITS}test_a_trade_without_a_locked_rate_is_judged_by_the_newest_one_that_is_known"
        ),
    ),
    Mutant(
        name="an account that is known by a payout that came back",
        file="paytui/store/acquaintance.py",
        before="return _End.NOTHING if became.status.name in _CAME_TO_NOTHING else _End.STAYED",
        after="return _End.STAYED",
        test=f"{PAID}test_a_payout_or_a_trade_from_here_that_came_to_nothing_does_not_make_it_known",
    ),
    Mutant(
        name="an account that is known by a payout of which nobody sees what came",
        file="paytui/store/acquaintance.py",
        before="not isinstance(became, Payment | Trade):\n            return _End.UNSEEN",
        after="not isinstance(became, Payment | Trade):\n            return _End.STAYED",
        test=f"{PAID}test_a_payout_of_which_nobody_sees_what_came_does_not_make_it_known",
    ),
    Mutant(
        name="an account that stays known although its money came back",
        file="paytui/store/acquaintance.py",
        before="self._reached[address_id] -= 1",
        after="pass",
        test=f"{PAID}test_one_whose_money_came_back_is_new_again_unless_another_payment_stayed",
    ),
    Mutant(
        name="an age that nobody knows, taken for none",
        file="paytui/tui/guards/sending.py",
        before="return feed.problem is not None",
        after="return False",
        test=f"{OLD}test_nobody_is_paid_by_lists_of_which_nobody_knows_how_old_they_are",
    ),
    Mutant(
        name="one recipient that cannot be read, which makes all that are tracked old",
        file="paytui/worker/tracked.py",
        before="                part.trouble = error.problem\n",
        after="",
        test=(
            "tests/worker/test_one_list_fails.py::"
            "test_one_that_cannot_be_read_any_more_leaves_the_others_young"
        ),
    ),
    Mutant(
        name="a list that is asked for in vain, which makes what is tracked old",
        file="paytui/worker/report.py",
        before="_read_at(parts, upstream) if offered else None",
        after="_read_at(parts, upstream)",
        test=(
            "tests/worker/test_one_list_fails.py::"
            "test_the_list_that_is_asked_for_again_in_vain_does_not_make_them_old"
        ),
    ),
    Mutant(
        name="a trade that is looked up among payments",
        file="paytui/store/acquaintance.py",
        before="self._store.table(row.action.becomes)",
        after="self._store.payments",
        test=f"{PAID}test_a_payment_is_not_taken_for_the_trade_of_its_identifier",
    ),
    Mutant(
        name="an account that is judged by what went to another one",
        file="paytui/store/acquaintance.py",
        before="return is_it and row.terms.paid_at",
        after="return row.terms.paid_at",
        test=f"{PAID}test_what_went_to_another_account_does_not_make_it_known",
    ),
    Mutant(
        name="an account that is compared with whatever was paid at any time",
        file="paytui/store/acquaintance.py",
        before="        ours.sort(key=lambda row: row.confirmed_at)\n",
        after="",
        test=f"{PAID}test_the_newest_that_went_out_tells_what_it_was",
    ),
    Mutant(
        name="recipients past the first slice, of whom none is like another",
        file="paytui/store/likeness.py",
        before="self._since, more = changes.version, changes.more",
        after="self._since, more = changes.version, False",
        test=f"{ALIKE}test_more_than_a_slice_is_taken_in",
    ),
    Mutant(
        name="a recipient who is still like the one that was renamed",
        file="paytui/store/likeness.py",
        before="self._forget(row.recipient_id) | self._take_in(row)",
        after="self._take_in(row)",
        test=f"{ALIKE}test_a_mark_goes_when_one_is_renamed_and_comes_where_it_is_like_another",
    ),
    Mutant(
        name="a lock that comes again as soon as it was opened",
        file="paytui/tui/guards/idle.py",
        before="        self._locked = False\n        self._pressed_at = self._clock.boot()\n",
        after="        self._locked = False\n",
        test=f"{IDLE}test_once_unlocked_the_time_begins_anew",
    ),
    Mutant(
        name="a lock that opens before the program has let anybody in",
        file="paytui/tui/screens/unlock_dialog.py",
        before="        if why_not := await self._prove():\n",
        after='        if why_not := await self._prove() and "":\n',
        test="tests/tui/test_locking.py::test_a_program_that_lets_nobody_in_keeps_it_locked",
    ),
    Mutant(
        name="a slow program that failed, and nobody is told",
        file="paytui/lone_thread.py",
        before="tell(partial(answer.set_exception, error))",
        after="tell(partial(answer.cancel, str(error)))",
        test="tests/test_lone_thread.py::test_what_went_wrong_is_passed_on",
    ),
    Mutant(
        name="a report of a crash that names the folders of a user",
        file="paytui/crash.py",
        before='    return "/".join(parts[-2:]) if "lib" in parts else parts[-1]\n',
        after="    return str(path)\n",
        test=f"{REPORT}test_it_holds_no_message_no_variable_no_line_of_source_and_no_value",
    ),
    Mutant(
        name="a report of a crash that repeats what the environment says",
        file="paytui/cli/crash_report.py",
        before="value if form.fullmatch(value) else '(something else)'",
        after="value",
        test=f"{REPORT}test_what_is_no_name_of_a_terminal_or_language_is_not_repeated",
    ),
    Mutant(
        name="a step that takes a dialog that lies on it for itself being seen",
        file="paytui/tui/wizards/frame.py",
        before="is_on_top = self.app.screen_stack[-1:] == [self]",
        after="is_on_top = self.is_current",
        test=(
            "tests/tui/wizards/test_under_a_dialog.py::"
            "test_a_warning_that_came_under_a_dialog_is_to_be_seen_before_anything_is_confirmed"
        ),
    ),
    Mutant(
        name="a step that is taken for seen whole by how tall the one before it is",
        file="paytui/tui/wizards/frame.py",
        before="            self._laid_out = None",
        after="            pass",
        test=(
            "tests/tui/wizards/test_confirm_on_small_terminals.py::"
            "test_a_step_that_one_comes_back_to_is_to_be_seen_to_its_end_as_before"
        ),
    ),
    Mutant(
        name="a step that is taken for seen whole by how tall it was before",
        file="paytui/tui/wizards/frame.py",
        before="            self.post_message(QueryTerminal(lambda: self._measure(confirms)))\n",
        after=(
            "            self.post_message(QueryTerminal(lambda: None))\n"
            "            self.call_after_refresh(self._measure, confirms)\n"
        ),
        test=(
            "tests/tui/wizards/test_confirm_on_small_terminals.py::"
            "test_what_comes_while_a_screen_is_come_back_to_is_to_be_seen_to_its_end_as_well"
        ),
    ),
    Mutant(
        name="a terminal that is asked before it is sent what it is asked about",
        file="paytui/tui/asking_app.py",
        before="        if self._batch_count:\n            self._held_back",
        after="        if False:\n            self._held_back",
        test=(
            "tests/tui/wizards/test_answering_terminal.py::"
            "test_a_step_that_one_comes_back_to_is_asked_about_once_it_is_painted"
        ),
    ),
    Mutant(
        name="an account that is known by a payout in a state that nobody understands",
        file="paytui/store/acquaintance.py",
        before=" or not became.status.known:",
        after=":",
        test=f"{PAID}test_nor_does_one_in_a_state_that_nobody_understands",
    ),
)
