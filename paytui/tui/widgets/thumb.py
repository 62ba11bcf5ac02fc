"""The mark at the right edge that says which part of something long is on view."""

from __future__ import annotations


def is_thumb(y: int, top: int, height: int, count: int) -> bool:
    """Whether the mark is in this line.

    Args:
        y: the line on screen, from 0.
        top: the first of what is on view.
        height: lines on screen.
        count: how many there are in all.
    """
    if count <= height:
        return False
    size = max(1, height * height // count)
    start = top * (height - size) // (count - height)
    return start <= y < start + size
