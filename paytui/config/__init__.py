"""Configuration: profiles and settings, read from one TOML file, checked, and merged with defaults.

`schema.py` declares the file, `settings.py` the typed settings for the rest of paytui. `load.py`
builds settings from the file, the environment and the command line; `saved.py` writes files.
"""
