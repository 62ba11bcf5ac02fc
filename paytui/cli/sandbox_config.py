"""A configuration that reaches a sandbox, as `paytui sandbox --write-config` writes it."""

from __future__ import annotations

from pathlib import Path


def write_sandbox_config(path: Path, base_url: str, client_id: str, secret: str) -> None:
    """A configuration whose only profile reaches a sandbox; the secret in a file beside it.

    Raises:
        ConfigError: one of the two files exists or cannot be written.
    """
    from paytui.config.saved import write_config, write_new

    secret_file = _secret_file(path)
    profile = {
        "base_url": base_url,
        "client_id": client_id,
        "live": False,
        "description": "Sandbox on this machine",
        "secret_file": secret_file.name,
    }
    write_new(secret_file, f"{secret}\n")
    write_config(path, {"default_profile": "sandbox", "profiles": {"sandbox": profile}})


def refuse_existing_sandbox_config(config: Path) -> None:
    """Make sure that it would replace nothing.

    Raises:
        ConfigError: it exists, or its secret.
    """
    from paytui.config.saved import refuse_existing

    refuse_existing(config)
    refuse_existing(_secret_file(config))


def _secret_file(config: Path) -> Path:
    return config.with_name(f"{config.stem}.secret")
