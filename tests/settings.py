"""Settings of the test run: data in a throw-away folder, quick passwords, no waiting."""

import os
import tempfile

os.environ.setdefault("FALLUJAH_VAR", tempfile.mkdtemp(prefix="fallujah-test-"))
os.environ.setdefault("FALLUJAH_MAIL_DELAY_SECONDS", "0")
os.environ.setdefault("FALLUJAH_LOG_LEVEL", "WARNING")
os.environ.setdefault("FALLUJAH_BOT_SECONDS", "1")
# Bots that misbehave, known to this process and to the workers that tests start.
os.environ["FALLUJAH_BOT_CLASSES"] = " ".join(
    f"card_assault.{name.lower()}=tests.bots.{'unborn' if name == 'Unborn' else 'bad'}:{name}"
    for name in ("Loops", "Sleeps", "Hogs", "Garbles", "Cheats", "Raises", "Exits", "Forks", "Flaky", "Slow", "Unborn")
)
os.environ["FALLUJAH_QUEUE_PREFIX"] = f"fallujah-test-{os.getpid()}-"  # nobody else's messages, and none left over


import fallujah_server.environment as env
from fallujah_server.settings import *  # noqa: F403
from fallujah_server.settings import DATABASES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MAIL_DELAY_SECONDS = 0
STATIC_ROOT = str(env.var_dir() / "static")
os.makedirs(STATIC_ROOT, exist_ok=True)
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: threads and worker processes must see the same database.
    DATABASES["default"]["TEST"] = {"NAME": str(env.var_dir() / f"test-{os.getpid()}.sqlite3")}
    # Tests crash processes, not machines: waiting for the disk proves nothing here.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
else:
    DATABASES["default"]["OPTIONS"].pop("pool")  # test databases are dropped; a pool would hold on to them
