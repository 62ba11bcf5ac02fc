"""Magic references, which drive a demo or a test (contract.md, "Rules of the sandbox")."""

from __future__ import annotations


class Magic:
    """What the reference of a payment, trade or pay-in asks for; most ask for nothing."""

    def __init__(self, reference: str | None) -> None:
        self._reference = reference or ""

    def after_compliance(self, passed: str) -> str | None:
        """The state after compliance_review; None where it stays there."""
        if "HALT_AML" in self._reference:
            return None
        return "rejected" if "FAIL_AML" in self._reference else passed

    @property
    def fails_at_bank(self) -> bool:
        return "FAIL_BANK" in self._reference

    @property
    def comes_back(self) -> bool:
        return "RETURN" in self._reference
