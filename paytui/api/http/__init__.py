import sys

# Without its command line httpx imports neither pygments nor the progress bars of rich: 1 MB.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # as the import system allows
