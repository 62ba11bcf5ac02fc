"""The curve and verdict of a run as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from tests.soak.gauges import GAUGES, Sample
from tests.soak.run import Curve
from tests.soak.verdict import ALLOWED, Growth

_OTHERS = ("rows", "requests", "sign-ins", "trouble", "off s", "errors")


def head() -> str:
    """The names of the columns."""
    return " ".join(f"{name:>9}" for name in ("hours", *GAUGES, *_OTHERS))


def row(samples: Sequence[Sample]) -> str:
    """The medians of what is held over some hours, and the sums at their end."""
    last = samples[-1]
    cells = [f"{last.hours:9.1f}"]
    cells += [f"{median(getattr(s, gauge) for s in samples):9,.0f}" for gauge in GAUGES]
    cells += [f"{n:9,.0f}" for n in (last.rows, last.requests, last.sign_ins, last.trouble)]
    off = max((sample.off for sample in samples), key=abs)
    return " ".join([*cells, f"{off:9.2f}", f"{last.swallowed:9,.0f}"])


def verdict(growths: Sequence[Growth], curve: Curve) -> Iterator[str]:
    """Return the faults and where to look for them; or that everything is flat."""
    for growth in growths:
        if not growth.is_flat:
            most = ALLOWED[growth.gauge]
            yield (
                f"NOT FLAT: {growth.gauge} from {growth.first:,.0f} to {growth.last:,.0f},"
                f" a trend of {growth.total:+,.0f} where {most:,.0f} are allowed"
            )
    yield from (f"WRONG: {words}" for words in curve.wrong)
    if is_fine(growths, curve):
        yield "Flat after the first hour; no countdown drifted, no error was swallowed."
    else:
        yield "Objects of which there are more than after the first hour:"
        yield from curve.grown


def is_fine(growths: Sequence[Growth], curve: Curve) -> bool:
    """Return True if there is no fault."""
    return not curve.wrong and all(growth.is_flat for growth in growths)
