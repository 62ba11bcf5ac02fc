"""A service that offers what the sandbox offers, and spells all of it otherwise."""
