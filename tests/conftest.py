"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# How fast a machine is says nothing about whether the code is right.
settings.register_profile("paytui", deadline=None)
settings.load_profile("paytui")
