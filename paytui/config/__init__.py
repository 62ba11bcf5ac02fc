"""Configuration: profiles and settings, read from one TOML file, checked, and merged with defaults.

`settings.py` declares all settings; `validation.py` validates a file against them. `load.py` builds
settings from the files, the environment and the command line.
"""
