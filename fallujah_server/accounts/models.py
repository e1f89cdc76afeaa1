"""People who play."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """One person. Mail goes to `email` once it is verified, unless they asked for silence."""

    email = models.EmailField(unique=True)
    email_verified_at = models.DateTimeField(null=True, blank=True)
    wants_mail = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.username
