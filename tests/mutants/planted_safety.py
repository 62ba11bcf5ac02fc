"""Mistakes with whom we speak to, and with what lies on this machine."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

WAY = "tests/api/test_way.py::"
FIRST = "tests/api/test_first_byte.py::"
LAST_LOOK = "tests/api/test_connections.py::TestTheLastLook::"
LEFT_OVER = "tests/api/test_connections.py::TestWhatIsLeftOverOfAnAnswer::"
MEET = "tests/cli/test_meet_host.py::"

SHARED = "tests/api/test_shared_token.py::"

CHAIN = "tests/outbox/test_chain.py::"

MUTANTS = (
    Mutant(
        name="an outbox is written on although its chain is broken",
        file="paytui/outbox/reading.py",
        before="        raise chain\n",
        after="        pass\n",
        test=f"{CHAIN}test_what_is_gone_changed_or_moved_is_damage[take_an_event]",
    ),
    Mutant(
        name="links that do not cover the one before",
        file="paytui/outbox/chain.py",
        before="return hashlib.sha256(json.dumps(said).encode()).hexdigest()",
        after="return hashlib.sha256(json.dumps(said[1:]).encode()).hexdigest()",
        test=f"{CHAIN}test_what_is_gone_changed_or_moved_is_damage"
        "[write_an_event_and_its_link_anew]",
    ),
    Mutant(
        name="rows that are not in the chain are believed",
        file="paytui/outbox/chain.py",
        before="    if adopted != len(unlinked) or first != hashes[1]:\n",
        after="    if adopted is None:\n",
        test=f"{CHAIN}test_what_is_gone_changed_or_moved_is_damage[add_an_event]",
    ),
    Mutant(
        name="rows cut off at the end of the outbox go unseen",
        file="paytui/outbox/chain.py",
        before="    _check_counters(connection)\n",
        after="",
        test=f"{CHAIN}test_what_is_gone_changed_or_moved_is_damage"
        "[take_the_last_intent_with_its_links]",
    ),
    Mutant(
        name="a token that the service rejected is left to the next process",
        file="paytui/api/auth.py",
        before="        self._cell.strike(held)\n",
        after="",
        test=f"{SHARED}test_a_token_that_was_rejected_is_left_to_nobody",
    ),
    Mutant(
        name="a token that is struck from the file although it is a newer one",
        file="paytui/api/shared_token.py",
        before="found.token == held.token",
        after="found.token.access_token",
        test=f"{SHARED}test_a_newer_token_stays_where_an_old_one_is_rejected",
    ),
    Mutant(
        name="any answer at all proves a token",
        file="paytui/api/failures.py",
        before="return answer.ok or (refused and in_error_shape(answer, dialect))",
        after="return True",
        test="tests/api/test_client.py::"
        "test_a_shared_token_that_a_rival_ended_costs_a_program_that_starts_nothing[dashboard]",
    ),
    Mutant(
        name="redirects that are followed",
        file="paytui/api/transport.py",
        before="        response = await transport.handle_async_request(request)\n",
        after=(
            "        response = await transport.handle_async_request(request)\n"
            "        if 'location' in response.headers:\n"
            "            request.url = request.url.join(response.headers['location'])\n"
            "            response = await transport.handle_async_request(request)\n"
        ),
        test="tests/api/test_transport.py::test_a_redirect_is_an_answer_and_not_followed",
    ),
    Mutant(
        name="a certificate that nobody has to vouch for",
        file="paytui/api/way.py",
        before="    context.minimum_version = OLDEST\n",
        after="    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE\n",
        test=f"{WAY}TestTheAuthority::test_what_the_environment_names_is_not",
    ),
    Mutant(
        name="a certificate of another host that is taken",
        file="paytui/api/way.py",
        before="    context.minimum_version = OLDEST\n",
        after="    context.check_hostname = False\n",
        test=f"{WAY}TestTheAuthority::test_the_name_of_the_host_counts_too",
    ),
    Mutant(
        name="TLS 1.1",
        file="paytui/api/way.py",
        before="OLDEST = ssl.TLSVersion.TLSv1_2",
        after="OLDEST = ssl.TLSVersion.TLSv1_1",
        test=f"{WAY}TestTheVersion::test_1_1_is_not_even_where_the_library_still_could",
    ),
    Mutant(
        name="a pinned certificate that any other stands in for",
        file="paytui/api/way.py",
        before="if self.pins and certificate",
        after="if False and certificate",
        test=f"{WAY}TestPins::test_another_of_the_same_authority_is_not",
    ),
    Mutant(
        name="a proxy that the environment names",
        file="paytui/api/transport.py",
        before="proxy=_proxy(self.way)",
        after=(
            "proxy=_proxy(self.way) or (lambda url: url and httpcore.Proxy(url))("
            "__import__('os').environ.get('HTTPS_PROXY'))"
        ),
        test=(f"{WAY}TestTheProxy::test_where_none_is_named_that_of_the_environment_is_not_asked"),
    ),
    Mutant(
        name="what a proxy did not lead through, taken for sent",
        file="paytui/api/connections.py",
        before="self._is_led_through = departure.in_tunnel = True",
        after="self._is_led_through = True",
        test=f"{WAY}TestTheProxy::test_what_it_does_not_lead_through_was_not_sent[]",
    ),
    Mutant(
        name="a first byte without a last look",
        file="paytui/api/connections.py",
        before="        departure.leaves_by(self)\n        self._carries = departure\n",
        after="        self._carries = departure\n",
        test=f"{FIRST}test_a_no_reaches_the_caller_and_not_a_byte_the_service",
    ),
    Mutant(
        name="bytes that nothing lets through, and that leave",
        file="paytui/api/connections.py",
        before="        if buffer:\n            self._let_through(buffer)\n",
        after="",
        test=f"{LAST_LOOK}test_does_not_hang_on_what_httpcore_calls_its_steps",
    ),
    Mutant(
        name="bytes of no known request that leave all the same",
        file="paytui/api/connections.py",
        before="            raise _NOBODY.unguarded(_UNSEEN)\n",
        after="            return\n",
        test=f"{LAST_LOOK}test_that_was_not_taken_lets_nothing_out",
    ),
    Mutant(
        name="bytes that leave although nobody saw a certificate",
        file="paytui/api/connections.py",
        before="        if self._rules.is_secured and not self._is_judged:\n",
        after="        if False:\n",
        test=f"{LAST_LOOK}test_that_was_not_taken_lets_nothing_out",
    ),
    Mutant(
        name="a letter that is closed, not aborted, when it is given up",
        file="paytui/api/connections.py",
        before='_ABORT = struct.pack("ii", 1, 0)',
        after='_ABORT = struct.pack("ii", 0, 0)',
        test="tests/api/test_connections.py::TestWhatIsGivenUp::test_is_aborted",
    ),
    Mutant(
        name="letters on connections that are used again",
        file="paytui/api/transport.py",
        before="pool = self._letters if call.work is Work.SEND else self._pool",
        after="pool = self._pool",
        test=f"{LEFT_OVER}test_is_not_the_answer_of_a_letter",
    ),
    Mutant(
        name="an answer that was there before its request",
        file="paytui/api/transport.py",
        before="            if departure.is_answered_unasked:\n",
        after="            if False:\n",
        test=f"{LEFT_OVER}test_is_not_the_answer_of_a_read",
    ),
    Mutant(
        name="a profile that leads elsewhere and says nothing of it",
        file="paytui/cli/meet_host.py",
        before="if (before := known.led_to()) and not profile",
        after="if (before := known.led_to()) and not before and not profile",
        test=(
            f"{MEET}TestWhereAProfileLeads::"
            "test_elsewhere_it_is_refused_with_both_addresses_and_how_to_accept"
        ),
    ),
    Mutant(
        name="a host that anybody may vouch for from one day to the next",
        file="paytui/cli/known_host.py",
        before="if known.issuers and not self",
        after="if False and not self",
        test=f"{MEET}TestWhatProvesTheHost::test_one_of_another_authority_is_sent_nothing",
    ),
    Mutant(
        name="a new certificate that nobody is told of",
        file="paytui/cli/known_host.py",
        before="        if known.certificates:\n            self._say",
        after="        if False:\n            self._say",
        test=(
            f"{MEET}TestWhatProvesTheHost::test_a_new_one_of_the_same_authority_is_taken_and_told"
        ),
    ),
    Mutant(
        name="files that others can read",
        file="paytui/private.py",
        before="MODE = 0o600",
        after="MODE = 0o644",
        test=(
            "tests/test_files.py::"
            "test_it_is_of_mode_0600_in_a_folder_of_0700_whatever_the_umask[18-outbox]"
        ),
    ),
    Mutant(
        name="folders that others can list",
        file="paytui/private.py",
        before="FOLDER_MODE = 0o700",
        after="FOLDER_MODE = 0o755",
        test=(
            "tests/test_private.py::"
            "test_what_is_written_is_the_users_alone_and_replaces_what_was_there"
        ),
    ),
    Mutant(
        name="a file that is written over another",
        file="paytui/private.py",
        before="os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW",
        after="os.O_CREAT",
        test="tests/store/test_export_file.py::test_a_file_that_is_there_stays_as_it_is",
    ),
    Mutant(
        name="a doctor who finds something wrong and ends as if all were well",
        file="paytui/cli/checkup/finding.py",
        before="        return errors[0]\n",
        after="        return ExitCode.DONE\n",
        test=(
            "tests/cli/checkup/test_finding.py::"
            "test_an_error_goes_before_warnings_and_the_first_before_the_others"
        ),
    ),
    Mutant(
        name="a doctor who sends something to whoever he looks at",
        file="paytui/cli/checkup/host.py",
        before='return Objection("it was only looked at", "")',
        after="return None",
        test=(
            "tests/cli/checkup/test_checkup.py::TestTheHost::"
            "test_a_look_at_the_certificate_sends_nothing"
        ),
    ),
)
