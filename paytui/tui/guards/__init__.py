"""Checks between a trader's key and money, beside the service's own."""
