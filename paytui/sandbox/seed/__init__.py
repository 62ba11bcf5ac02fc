"""The history that an empty sandbox starts with."""
