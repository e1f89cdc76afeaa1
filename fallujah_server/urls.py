"""All addresses of the server."""

from django.urls import include, path

urlpatterns = [
    path("api/", include("api.urls")),
    path("mail/", include("notifications.urls")),
    path("", include("web.urls")),
]
