"""Profiles of hypothesis: the same examples at each run, without deadlines.

`--hypothesis-profile=deep` looks for new examples.
"""

from hypothesis import settings

settings.register_profile("paytui", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=2_000)
settings.load_profile("paytui")
