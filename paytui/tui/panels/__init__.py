"""The panels of the overview."""
