"""Addresses of the pages."""

from django.urls import path

from web import home, mailbox, match, people, settings, webhooks

app_name = "web"
urlpatterns = [
    path("", home.home, name="home"),
    path("new/<slug:ruleset>/", home.new_match, name="new"),
    path("sign-in/", people.sign_in, name="sign-in"),
    path("sign-out/", people.sign_out, name="sign-out"),
    path("register/", people.register, name="register"),
    path("verify/<int:user_id>/<str:token>/", people.verify, name="verify"),
    path("stop/<int:user_id>/<str:token>/", people.stop, name="stop"),
    path("settings/", settings.page, name="settings"),
    path("notices/", people.notices, name="notices"),
    path("match/<int:match_id>/", match.page, name="match"),
    path("match/<int:match_id>/orders/", match.orders, name="orders"),
    path("match/<int:match_id>/join/", match.join, name="join"),
    path("match/<int:match_id>/cancel/", match.cancel, name="cancel"),
    path("match/<int:match_id>/take-back/", match.take_back, name="take-back"),
    path("match/<int:match_id>/take-back/answer/", match.take_back_answer, name="take-back-answer"),
    path("match/<int:match_id>/resign/", match.resign, name="resign"),
    path("match/<int:match_id>/note/", match.note, name="note"),
    path("match/<int:match_id>/standing/", match.standing, name="standing"),
    path("match/<int:match_id>/board.png", match.board_png, name="board-png"),
    path("match/<int:match_id>/export/", match.export, name="export"),
    path("m/<int:match_id>/<str:token>/", match.linked_page, name="linked"),
    path("m/<int:match_id>/<str:token>/board.png", match.linked_png, name="linked-png"),
    path("webhooks/", webhooks.index, name="webhooks"),
    path("webhooks/<int:number>/test/", webhooks.test, name="webhook-test"),
    path("webhooks/<int:number>/rotate/", webhooks.rotate, name="webhook-rotate"),
    path("webhooks/<int:number>/enable/", webhooks.enable, name="webhook-enable"),
    path("webhooks/<int:number>/remove/", webhooks.remove, name="webhook-remove"),
    path("webhooks/<int:number>/calls/<int:call>/replay/", webhooks.replay, name="webhook-replay"),
    path("mailbox/", mailbox.index, name="mailbox"),
    path("mailbox/<str:name>/", mailbox.show, name="mailbox-mail"),
    path("mailbox/<str:name>/html/", mailbox.html_part, name="mailbox-html"),
]
