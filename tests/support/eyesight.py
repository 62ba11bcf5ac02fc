"""Colour vision: contrast by WCAG 2.2, colour blindness by Machado et al. (2009)."""

from __future__ import annotations

from typing import Literal

Matrix = tuple[tuple[float, float, float], ...]

Vision = Literal["normal", "deuteranopia", "tritanopia"]

VISIONS: dict[Vision, Matrix] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Of linear light, at full severity ("A Physiologically-based Model for Simulation of Color Vision
Deficiency", table 1)."""

_TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""Of linear sRGB (IEC 61966-2-1)."""

_WHITE = (0.95047, 1.0, 1.08883)
"""D65."""


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, `#rrggbb`, from 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def apart(one: str, other: str, vision: Vision) -> float:
    """Return the distance of two colours to such eyes in CIELAB (1976)."""
    seen = zip(_lab(one, vision), _lab(other, vision), strict=True)
    return float(sum((a - b) ** 2 for a, b in seen) ** 0.5)


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(colour: str) -> list[float]:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def _lab(colour: str, vision: Vision) -> tuple[float, float, float]:
    seen = [min(1.0, max(0.0, light)) for light in _times(VISIONS[vision], _linear(colour))]
    white = zip(_times(_TO_XYZ, seen), _WHITE, strict=True)
    x, y, z = (_cube_root(value / of_white) for value, of_white in white)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(value: float) -> float:
    """Return the cube root of CIE 15, which is linear near black."""
    return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _times(matrix: Matrix, vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
