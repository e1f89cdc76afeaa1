"""Addresses of the mail door on the web: raw mail in, and the page that confirms a doubtful one."""

from django.urls import path

from notifications import views

app_name = "mail"
urlpatterns = [
    path("inbound/", views.inbound, name="inbound"),
    path("reply/", views.reply, name="reply"),
    path("confirm/<int:number>/<str:seal>/", views.confirm, name="confirm"),
]
