"""Who is signed in where: a token for each server, in a file that only its owner can read."""

import contextlib
import json
import os
from pathlib import Path


def path() -> Path:
    """FALLUJAH_TOKENS, or the usual folder for settings."""
    given = os.environ.get("FALLUJAH_TOKENS")
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(given) if given else Path(home) / "fallujah" / "tokens.json"


def _kept() -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(path().read_text())
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
    return {}


def token(server: str) -> str:
    """The token to use: of the environment, or the one kept for this server; empty when there is none."""
    return os.environ.get("FALLUJAH_TOKEN") or _kept().get(server.rstrip("/"), "")


def keep(server: str, secret: str) -> None:
    """Remember (or with an empty secret forget) the token. The file is never readable by others, not even at first."""
    kept = _kept()
    kept.pop(server.rstrip("/"), None)
    if secret:
        kept[server.rstrip("/")] = secret
    target = path()
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = target.with_name(f"{target.name}.{os.getpid()}")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(kept, file, indent=1)
    made.replace(target)
