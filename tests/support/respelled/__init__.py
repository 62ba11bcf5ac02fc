"""A service with the sandbox's functions under other names."""
