"""All addresses of the server."""

from django.urls import include, path

urlpatterns = [
    path("api/", include("api.urls")),
    path("mail/", include("notifications.urls")),
    path("", include("web.urls")),
]

handler400 = "fallujah_server.faults.bad_request"
handler403 = "fallujah_server.faults.forbidden"
handler404 = "fallujah_server.faults.not_found"
handler500 = "fallujah_server.faults.server_error"
