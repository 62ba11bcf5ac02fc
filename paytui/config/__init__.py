"""Configuration: profiles and settings, read from one TOML file, checked, and merged with defaults.

`settings.py` holds what the rest of paytui is handed, `schema.py` says what a file can hold,
`load.py` makes settings of the file, the environment and the command line, `write.py` writes a
first file.
"""
