"""Data of hostile and broken services."""
