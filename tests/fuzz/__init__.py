"""What outsiders and users write, by the hundred thousand, and what may come of it."""
