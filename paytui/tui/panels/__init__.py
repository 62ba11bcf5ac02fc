"""The panels of the Overview: each a title over a list of figures that no single object says."""
