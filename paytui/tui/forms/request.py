"""The request that a draft comes to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from paytui.domain.requests import Request
from paytui.tui.forms.declare import Form
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.pages import going_out


@dataclass(frozen=True, slots=True)
class Deal:
    """Exactly what a confirmation would carry out.

    Attributes:
        title: of the intent: `Wallet USD desk`.
    """

    title: str
    request: Request


def deal_of(form: Form, draft: Draft) -> Deal:
    """What a draft without errors comes to."""
    out = going_out(form, draft)
    request = replace(form.request(out), extra=out.under("extra"))
    return Deal(f"{form.noun} {form.named(out)}".strip(), request)
