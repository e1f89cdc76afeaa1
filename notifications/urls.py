"""Addresses of the mail door on the web: raw mail in, and the page that confirms a doubtful one."""

from django.urls import path

from notifications import views

app_name = "mail"
urlpatterns = [
    path("inbound/", views.inbound, name="inbound"),
    path("services/<slug:service>/", views.service, name="service"),
    # Mailgun sends the mail as it was if the address holds the word mime.
    path("services/<slug:service>/mime/", views.service, name="service-mime"),
    path("reply/", views.reply, name="reply"),
    path("address/<int:number>/<str:seal>/", views.address, name="address"),
    path("confirm/<int:number>/<str:seal>/", views.confirm, name="confirm"),
]
