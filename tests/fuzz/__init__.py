"""Fuzzing of everything that outsiders and users write."""
