"""Settings of server and worker processes that tests start: the real ones, with the quick passwords of the tests."""

from fallujah_server.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
