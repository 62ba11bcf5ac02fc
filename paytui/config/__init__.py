"""Configuration: profiles and settings, read from one TOML file, checked, and merged with defaults.

`settings.py` holds what the rest of paytui is handed (no pydantic: screens import it), `load.py`
makes it from the file, the environment and the command line, `write.py` writes a first file.
"""
