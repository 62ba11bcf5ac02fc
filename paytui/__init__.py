"""paytui: a terminal dashboard for traders on a multi-currency payments service."""

__version__ = "0.1.0"
