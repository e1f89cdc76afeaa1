"""The ready login of a server that somebody has just started to have a look."""

from django.conf import settings
from django.utils import timezone

from fallujah_server.accounts.models import User

DEMO_NAME = "demo"
DEMO_PASSWORD = "fallujah-demo"  # noqa: S105 - printed at every start of a local server


def demo_user() -> User | None:
    """Made once; never on a server that the world can reach."""
    if settings.SECURE_SSL:
        return None
    user, made = User.objects.get_or_create(
        username=DEMO_NAME, defaults={"email": "demo@localhost", "email_verified_at": timezone.now()}
    )
    if made:
        user.set_password(DEMO_PASSWORD)
        user.save()
    return user
