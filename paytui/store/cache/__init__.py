"""The cache of the last run's state, shown as old until the service has been read."""
