"""What was known last time: on screen before anything is read, and marked as old until it is."""
