"""`paytui dialect`: shows how responses are understood, and what to configure."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from paytui.api.dialect import load_dialect
from paytui.cli.commands.dialect_check import Outcome, check_live
from paytui.domain.exact_json import Json
from paytui.platform.clock import SystemClock
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.commands import SECRET, Paytui, SandboxConfig
from tests.support.respelled.app import DIALECT, OtherService
from tests.support.scripted import Reply, ScriptedService
from tests.support.served import served

OWN = """\
[fields.wallet]
available_balance = ["funds.free"]

[states.wallet]
active = { wire = ["OPEN"], final = false }
"""


def has(text: str, pattern: str) -> bool:
    """Return True if a line of the text matches."""
    return re.search(pattern, text, re.MULTILINE) is not None


@pytest.fixture
def offline(paytui: Paytui) -> Path:
    """A configuration with a dialect of its own; nobody is there."""
    (paytui.home / "acme.dialect.toml").write_text(OWN)
    config = paytui.home / "config.toml"
    config.write_text(
        "[profiles.acme]\nbase_url = 'http://127.0.0.1:9'\nclient_id = 'x'\n"
        "dialect = 'acme.dialect.toml'\n"
    )
    return config


@pytest.fixture
def other(paytui: Paytui) -> Iterator[str]:
    """The base URL of a service that spells everything otherwise."""
    app = create_app(SandboxOptions(client_secret=SECRET, scale=40, speed=0), SystemClock())
    with served(OtherService(app).app()) as url:
        yield url


def test_where_no_token_is_accepted_the_dialect_is_not_blamed() -> None:
    lists = ("accounts", "wallets", "trades", "recipients", "payments", "rate-sheets")
    unauthorised = Reply({"error": {"code": "token_superseded", "message": "a newer one"}}, 401)
    service = ScriptedService({f"/v2/{path}": unauthorised for path in lists})

    async def check() -> Outcome:
        client = client_of(service, ManualClock(), patient=False)
        return await check_live(client, load_dialect(), {}, ())

    outcome = asyncio.run(check())
    assert not outcome.understood
    assert "start with prefix" not in "".join(outcome.lines)
    assert "the service rejected every token" in outcome.lines[-1]
    assert len(service.seen("/v2/auth")) <= 6


ASKS_FOR_CODE = "  [errors] code: this refusal has none but its status. "


@pytest.mark.parametrize(
    ("status", "error", "asks"),
    [
        (403, {"code": 403, "message": "no"}, True),
        (400, {"message": "no"}, True),
        (403, {"code": "no_access", "message": "no"}, False),
        (403, {"code": "403", "details": [{"field": "page", "message": "no"}]}, False),
        (429, {"code": "429"}, False),
        (503, {"code": "503"}, False),
        (404, {"code": "404"}, False),
    ],
)
def test_a_refusal_whose_code_is_its_status_asks_for_another(
    status: int, error: Json, *, asks: bool
) -> None:
    service = ScriptedService({"/v2/payments": Reply({"error": error}, status)})

    async def check() -> Outcome:
        client = client_of(service, ManualClock(), patient=False)
        return await check_live(client, load_dialect(), {}, ())

    outcome = asyncio.run(check())
    asked = [line for line in outcome.lines if line.startswith(ASKS_FOR_CODE)]
    assert len(asked) == asks
    assert not asked or outcome.lines[outcome.lines.index(asked[0]) - 1].startswith("payments: ")


class TestShow:
    def test_every_value_has_its_origin(self, paytui: Paytui, offline: Path) -> None:
        done = paytui("dialect", "show", "--config", offline)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        (own,) = [line for line in lines if line.startswith("available_balance = ")]
        assert re.fullmatch(r'available_balance = \["funds.free"\] +# acme.dialect.toml:2', own)
        assert any(re.fullmatch(r'prefix = "/v2" +# default', line) for line in lines)
        (active,) = [line for line in lines if '"OPEN"' in line]
        assert active.endswith("# acme.dialect.toml:5")

    def test_it_is_a_dialect_file_itself(self, paytui: Paytui, offline: Path) -> None:
        tree = tomllib.loads(paytui("dialect", "show", "--config", offline).stdout)
        assert tree["fields"]["wallet"]["available_balance"] == ["funds.free"]
        assert tree["paths"]["book_trade"] == ["POST /tradess", "POST /trades"]
        assert tree["states"]["payment"]["released"] == {"wire": ["released"], "final": False}

    def test_a_misspelt_key_is_refused_with_what_is_near(
        self, paytui: Paytui, offline: Path
    ) -> None:
        (offline.parent / "acme.dialect.toml").write_text("[fields.walet]\n")
        done = paytui("dialect", "show", "--config", offline)
        assert done.returncode == 2
        assert "wallet" in done.stderr


class TestCheck:
    def test_on_the_documented_service_all_is_understood(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        assert done.returncode == 0, done.stderr
        assert has(done.stdout, r"^payments: [1-9]\d* checked$")
        assert has(done.stdout, r"found +end_to_end_id +endToEndId$")
        assert has(done.stdout, r"found +expires_at +expiresAt$")
        assert not has(done.stdout, r"^ +no use ")
        assert SECRET not in done.stdout + done.stderr

    @pytest.mark.slow
    def test_a_token_that_is_shared_is_not_said_to_have_been_understood(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        first = paytui("dialect", "check", "--config", sandbox_config.path)
        assert has(first.stdout, r"^signed in: the token was understood$")
        second = paytui("dialect", "check", "--config", sandbox_config.path)
        assert "understood" not in second.stdout.splitlines()[0]
        assert has(second.stdout, r"^signed in with a token that .* sign-in was not tested")

    @pytest.mark.slow
    def test_why_a_kind_was_not_looked_at_is_told(self, paytui: Paytui) -> None:
        path = paytui.home / "bare.toml"
        with paytui.sandbox("--documented-only", "--write-config", path):
            done = paytui("dialect", "check", "--config", path)
        for kind, of in (("payin_addresses", "wallet"), ("payment_addresses", "recipient")):
            why = f"{kind}: not checked: they are listed for each {of}, and no {of} is known"
            assert has(done.stdout, rf"^{why}; track a {of}.*paytui track ID…$")
        assert "or a payment address of your own" in done.stdout

    @pytest.mark.slow
    def test_no_value_is_printed(self, paytui: Paytui, sandbox_config: SandboxConfig) -> None:
        told = json.loads(paytui("status", "--json", "--config", sandbox_config.path).stdout)
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        for account in told["accounts"]:
            assert account["account_id"] not in done.stdout
            assert account["display_name"] not in done.stdout

    @pytest.mark.slow
    def test_what_nobody_reads_comes_with_the_line_that_would_map_it(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        """The service says availableBalance and Active; this dialect expects otherwise."""
        (paytui.home / "acme.dialect.toml").write_text(OWN)
        sandbox_config.write("dialect = 'acme.dialect.toml'\n")
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        assert has(done.stdout, r"absent +available_balance +searched for funds\.free$")
        line = '[fields.wallet] available_balance = ["availableBalance"]  # a guess'
        assert has(done.stdout, rf"unread +availableBalance +{re.escape(line)}$")
        states = '[states.wallet] pending|active|suspended|closed = { wire = ["Active"], '
        assert states in done.stdout

    @pytest.mark.slow
    def test_the_rate_sheet_that_it_locks_is_small_and_is_told(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        sandbox_config.write("[rates]\nwatch = ['EUR/JPY', 'USD/KWD', 'AUD/USD', 'NZD/USD']\n")
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        assert has(done.stdout, r"^rate_sheets: locking one of EUR>JPY, USD>KWD, AUD>USD; ")
        assert has(done.stdout, r"^rate_sheets: 1 checked$")

    @pytest.mark.slow
    def test_a_rate_sheet_is_locked_even_where_no_pairs_are_watched(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        sandbox_config.write("[rates]\nwatch = []\n")
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        assert has(done.stdout, r"^rate_sheets: 1 checked$")

    @pytest.mark.slow
    def test_what_nobody_reads_of_a_rate_sheet_comes_with_its_line(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        (paytui.home / "acme.dialect.toml").write_text("[fields.rate_sheet]\nexpires_at=['ends']\n")
        sandbox_config.write("dialect = 'acme.dialect.toml'\n")
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        assert done.returncode == 5
        assert has(done.stdout, r"absent +expires_at +searched for ends$")
        line = '[fields.rate_sheet] expires_at = ["expiresAt"]  # a guess'
        assert has(done.stdout, rf"unread +expiresAt +{re.escape(line)}$")

    @pytest.mark.slow
    def test_the_dialect_of_the_other_service_leaves_nothing_important_unread(
        self, paytui: Paytui, other: str
    ) -> None:
        config = paytui.home / "other.toml"
        config.write_text(
            f"[profiles.other]\nbase_url = '{other}'\nclient_id = 'demo'\nlive = false\n"
            f"dialect = '{DIALECT}'\n"
        )
        done = paytui("dialect", "check", "--config", config, PAYTUI_CLIENT_SECRET=SECRET)
        assert done.returncode == 0, done.stderr
        assert has(done.stdout, r"found +available_balance +funds\.free$")
        assert has(done.stdout, r"found +expires_at +lapses$")
        assert has(done.stdout, r"^trades: .*no such operation.*\[paths\] list_trades")
        assert '"BATCHED_OVERNIGHT"' in done.stdout

    @pytest.mark.slow
    def test_a_list_that_goes_on_where_nobody_reads_is_not_understood(
        self, paytui: Paytui, other: str
    ) -> None:
        own, paging = DIALECT.read_text("utf-8").split("[paging]")
        size = next(line for line in paging.splitlines() if line.startswith("size"))
        (paytui.home / "other.dialect.toml").write_text(f"{own}[paging]\nstyle='page'\n{size}\n")
        config = paytui.home / "other.toml"
        config.write_text(
            f"[profiles.other]\nbase_url = '{other}'\nclient_id = 'demo'\nlive = false\n"
            "dialect = 'other.dialect.toml'\n"
        )
        done = paytui("dialect", "check", "--config", config, PAYTUI_CLIENT_SECRET=SECRET)
        assert done.returncode == 5
        assert has(
            done.stdout, r"^  more seems to follow: links\.more is not read; set \[paging\]$"
        )
        assert has(done.stdout, r'^ +\[paging\] style = "cursor"$')
        assert has(done.stdout, r'^ +\[paging\] next = "links\.more"$')
        status = paytui("status", "--config", config, PAYTUI_CLIENT_SECRET=SECRET)
        assert status.returncode == 5
        # A service that takes each parameter for a filter gives nothing for a page.
        assert "with max=500&page=1 the list is empty" in status.stdout + status.stderr

    @pytest.mark.slow
    def test_an_answer_without_the_list_that_was_expected_is_told_by_what_it_has(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        (paytui.home / "acme.dialect.toml").write_text("[envelope]\nmany = ['rows']\n")
        sandbox_config.write("dialect = 'acme.dialect.toml'\n")
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        assert done.returncode == 5
        assert has(done.stdout, r"^accounts: .* list named rows .*: it has items \(a list\)")

    @pytest.mark.slow
    def test_with_the_wrong_dialect_it_says_where_to_begin(
        self, paytui: Paytui, other: str
    ) -> None:
        config = paytui.home / "wrong.toml"
        config.write_text(f"[profiles.w]\nbase_url = '{other}'\nclient_id = 'demo'\nlive = false\n")
        done = paytui("dialect", "check", "--config", config, PAYTUI_CLIENT_SECRET=SECRET)
        assert done.returncode == 4
        assert "sign in" in done.stderr
        assert "404" in done.stderr
        assert "auth_prefix" in done.stderr

    @pytest.mark.slow
    def test_where_no_path_is_right_it_is_not_taken_for_done(
        self, paytui: Paytui, sandbox_config: SandboxConfig
    ) -> None:
        (paytui.home / "acme.dialect.toml").write_text("prefix = '/v3'\n")
        sandbox_config.write("dialect = 'acme.dialect.toml'\n")
        done = paytui("dialect", "check", "--config", sandbox_config.path)
        assert done.returncode == 5
        assert done.stdout.endswith("Nothing was understood: start with prefix and [paths].\n")


class TestExplain:
    @pytest.mark.slow
    @pytest.mark.parametrize("envelope", ["{}", '{{"items": [{}]}}'])
    def test_an_answer_from_the_manual_is_explained_offline(
        self, paytui: Paytui, offline: Path, envelope: str
    ) -> None:
        body = envelope.format('{"walletId": "w1", "funds": {"free": 1.5, "blocked": 2}}')
        done = paytui("dialect", "explain", "wallets", "--config", offline, stdin=body)
        assert done.returncode == 0, done.stderr
        assert has(done.stdout, r"found +available_balance +funds\.free$")
        assert re.search(r"unread +funds\.blocked +\[fields\.wallet\] ", done.stdout)

    def test_a_rate_sheet_is_explained_too(self, paytui: Paytui, offline: Path) -> None:
        body = '{"rateSheetId": "s1", "expiresAt": "2026-03-02T12:00:00Z", "lines": []}'
        done = paytui("dialect", "explain", "rate_sheets", "--config", offline, stdin=body)
        assert has(done.stdout, r"found +expires_at +expiresAt$")

    def test_a_record_that_cannot_be_used_is_told_by_the_exit_code(
        self, paytui: Paytui, offline: Path
    ) -> None:
        done = paytui("dialect", "explain", "wallets", "--config", offline, stdin='{"id": "w1"}')
        assert done.returncode == 5
        assert "lack an identifier" in done.stdout

    def test_what_is_no_answer_is_refused(self, paytui: Paytui, offline: Path) -> None:
        done = paytui("dialect", "explain", "wallets", "--config", offline, stdin="<html>")
        assert done.returncode == 2
        assert "cannot be read" in done.stderr

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "body", "path"),
        [
            ("wallets", '{"data": [{"walletId": "w1"}], "meta": {"count": 1}}', "data"),
            ("wallets", '{"status": "ok", "data": [{"ref": "w1"}], "meta": {"count": 1}}', "data"),
            ("payments", '{"data": {"rows": [{"ref": "p1", "sum": 3}]}}', "data.rows"),
        ],
    )
    def test_a_list_in_an_envelope_of_another_name_is_no_field(
        self, paytui: Paytui, offline: Path, kind: str, body: str, path: str
    ) -> None:
        done = paytui("dialect", "explain", kind, "--config", offline, stdin=body)
        assert done.returncode == 5
        assert has(done.stdout, rf'unread +{path} +\[envelope\] many = \["{path}"\]$')
        assert has(done.stdout, rf'unread +{path} +\[envelope\] one = \["data"\]  # a guess$')
        assert not has(done.stdout, r'\[fields.*\["(data|meta)')

    @pytest.mark.slow
    @pytest.mark.parametrize("inside", ['{"walletId": "w1"}', '{"ref": "w1", "sum": 3}'])
    def test_an_object_in_an_envelope_of_another_name_is_no_field(
        self, paytui: Paytui, offline: Path, inside: str
    ) -> None:
        body = f'{{"data": {inside}}}'
        done = paytui("dialect", "explain", "wallets", "--config", offline, stdin=body)
        assert done.returncode == 5
        assert has(done.stdout, r'unread +data +\[envelope\] one = \["data"\]$')

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "body"),
        [
            ("wallets", '{"walletId": "w1", "holders": [{"accountId": "a", "status": "x"}]}'),
            ("rate_sheets", '{"sheet": "s1", "quotes": [{"rate": 1}]}'),
        ],
    )
    def test_what_is_inside_an_object_is_no_list_of_them(
        self, paytui: Paytui, offline: Path, kind: str, body: str
    ) -> None:
        done = paytui("dialect", "explain", kind, "--config", offline, stdin=body)
        assert "[envelope]" not in done.stdout

    @pytest.mark.slow
    def test_a_name_with_a_dot_in_it_is_said_to_be_out_of_reach(
        self, paytui: Paytui, offline: Path
    ) -> None:
        body = '{"walletId": "w1", "wallet.name": "AUD desk"}'
        done = paytui("dialect", "explain", "wallets", "--config", offline, stdin=body)
        assert has(done.stdout, r"unread +wallet\.name +cannot be mapped: a name has a dot in it$")

    def test_a_count_that_nobody_reads_comes_with_its_line(
        self, paytui: Paytui, offline: Path
    ) -> None:
        body = '{"items": [{"walletId": "w1"}], "meta": {"count": 40}}'
        done = paytui("dialect", "explain", "wallets", "--config", offline, stdin=body)
        assert done.returncode == 5
        assert has(done.stdout, r"^  meta\.count reports 40, only 1 came$")
        assert has(done.stdout, r'^ +\[paging\] total = "meta\.count"$')

    @pytest.mark.slow
    def test_a_flag_is_not_offered_as_a_cursor(self, paytui: Paytui, offline: Path) -> None:
        body = '{"items": [{"walletId": "w1"}], "next": true}'
        done = paytui("dialect", "explain", "wallets", "--config", offline, stdin=body)
        assert done.returncode == 5
        assert has(done.stdout, r'^ +\[paging\] style = "offset"')
        assert "[paging] next" not in done.stdout
