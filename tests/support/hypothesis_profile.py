"""Profiles of hypothesis: the same examples at each run, however slow the machine is.

`--hypothesis-profile=deep` looks for new examples.
"""

from hypothesis import HealthCheck, settings

SLOW = (HealthCheck.too_slow,)

settings.register_profile("paytui", deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.register_profile("deep", deadline=None, max_examples=2_000, suppress_health_check=SLOW)
settings.load_profile("paytui")
