"""Queries of lists in the cache, held to plain Python over all rows."""
