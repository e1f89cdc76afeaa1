"""Wiring only: settings, urls, the Celery app, server entry points."""

from fallujah_server.celery import app as celery_app

__all__ = ["celery_app"]
