"""Settings that a host gives by environment variables, each with an embedded default.

All names start with FALLUJAH_. docs/operating.md lists them.
"""

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

BASE = Path(__file__).resolve().parent.parent


def text(name: str, default: str = "") -> str:
    return os.environ.get(f"FALLUJAH_{name}", default)


def flag(name: str, default: bool) -> bool:
    value = text(name).strip().lower()
    return default if not value else value in ("1", "true", "yes", "on")


def number(name: str, default: int) -> int:
    value = text(name)
    return int(value) if value else default


def numbers(name: str) -> dict[str, int]:
    """`planner=10 cautious=2`."""
    pairs = [word.partition("=") for word in words(name)]
    return {key: int(value) for key, _, value in pairs}


def words(name: str, default: str = "") -> list[str]:
    return [word for word in text(name, default).replace(",", " ").split() if word]


def choice(name: str, allowed: tuple[str, ...]) -> str:
    """One of these words; the first is the default."""
    value = text(name, allowed[0]).strip().lower() or allowed[0]
    if value not in allowed:
        raise ValueError(f"FALLUJAH_{name} must be one of {', '.join(allowed)}, not {value!r}.")
    return value


def options(prefix: str) -> dict[str, str]:
    """Every FALLUJAH_<prefix>_NAME as NAME."""
    start = f"FALLUJAH_{prefix}_"
    return {name.removeprefix(start): value for name, value in os.environ.items() if name.startswith(start)}


def var_dir() -> Path:
    """Where an embedded server keeps its data: database, queue, mail."""
    path = Path(text("VAR", str(BASE / "var")))
    path.mkdir(parents=True, exist_ok=True)
    return path


def secret_key() -> str:
    """The given key, or one made on the first start and kept beside the data."""
    given = text("SECRET_KEY")
    if given:
        return given
    path = var_dir() / "secret_key"
    if not path.exists():
        made = path.with_suffix(f".{os.getpid()}")
        made.write_text(secrets.token_urlsafe(48))
        made.chmod(0o600)
        with contextlib.suppress(FileExistsError):
            os.link(made, path)  # atomic: of two first starts one key wins
        made.unlink()
    return path.read_text()


def database() -> dict[str, Any]:
    """`postgresql://user:password@host:port/name` or `sqlite:///path`; SQLite in var/ by default."""
    url = text("DATABASE_URL") or f"sqlite:///{var_dir() / 'fallujah.sqlite3'}"
    parts = urlsplit(url)
    if parts.scheme in ("postgres", "postgresql"):
        options: dict[str, Any] = dict(parse_qsl(parts.query))
        # A process that is stopped in the middle of a transaction must not keep a match locked for ever.
        if idle := number("DATABASE_IDLE_SECONDS", 20):
            options.setdefault("options", f"-c idle_in_transaction_session_timeout={idle}s")
        # What is sent often is prepared by the server; a pooler between that gives out other sessions cannot have that.
        options["prepare_threshold"] = 3 if flag("DATABASE_PREPARE", True) else None
        options["pool"] = {
            "min_size": 1,
            "max_size": max(number("DATABASE_POOL", 10), number("BOT_WORKERS", 2) + 2),
            "timeout": 20,
        }
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": 0,
            "OPTIONS": options,
        }
    if parts.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": unquote(parts.path[1:] if parts.path.startswith("//") else parts.path),
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000;",
            },
        }
    raise ValueError(f"FALLUJAH_DATABASE_URL must start with postgresql:// or sqlite:///, not {parts.scheme!r}.")


def mail() -> dict[str, Any]:
    """`maildir:///path` or `smtp[s]://user:password@host:port`; a Maildir in var/ by default."""
    url = text("MAIL_URL") or f"maildir://{var_dir() / 'mail'}"
    parts = urlsplit(url)
    if parts.scheme == "maildir":
        return {"EMAIL_BACKEND": "notifications.channels.maildir.MaildirBackend", "MAILDIR": unquote(parts.path)}
    if parts.scheme in ("smtp", "smtps", "smtp+tls"):
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": parts.hostname or "localhost",
            "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 25),
            "EMAIL_HOST_USER": unquote(parts.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
            "EMAIL_USE_SSL": parts.scheme == "smtps",
            "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
            "EMAIL_TIMEOUT": 20,
            "MAILDIR": "",
        }
    raise ValueError(f"FALLUJAH_MAIL_URL must start with maildir://, smtp://, smtp+tls:// or smtps://, not {url!r}.")


def cache() -> dict[str, Any]:
    """Redis where there is one, so that all processes count the same requests; else memory."""
    url = text("REDIS_URL")
    if url:
        return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url, "KEY_PREFIX": "fallujah"}
    return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}


def broker() -> tuple[str, dict[str, Any]]:
    """A Redis address, or a queue of files in var/ that needs no server."""
    url = text("REDIS_URL")
    if url:
        prefix = text("QUEUE_PREFIX")  # several servers may share one Redis
        return url, {"visibility_timeout": 3600, **({"global_keyprefix": prefix} if prefix else {})}
    folder = var_dir() / "queue"
    for name in ("messages", "control"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return "filesystem://", {
        "data_folder_in": str(folder / "messages"),
        "data_folder_out": str(folder / "messages"),
        "control_folder": str(folder / "control"),
        "polling_interval": 0.1,
    }
