"""Django settings: embedded defaults, everything a host changes comes from the environment."""

from celery.schedules import schedule

from fallujah_server import environment as env

BASE_DIR = env.BASE
DEBUG = env.flag("DEBUG", False)
SECRET_KEY = env.secret_key()
PUBLIC_URL = env.text("PUBLIC_URL", "http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = env.words("HOSTS", "127.0.0.1 localhost [::1]")
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL.startswith("https://") else []
LOCAL_MAILBOX_PAGE = env.flag("LOCAL_MAILBOX_PAGE", not env.text("MAIL_URL"))
OPEN_REGISTRATION = env.flag("OPEN_REGISTRATION", True)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "fallujah_server.accounts",
    "games.ledger",
    "notifications",
    "api",
    "web",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "fallujah_server.security.ContentSecurityMiddleware",
    "fallujah_server.browsers.BrowserMiddleware",
]
# Only for requests of browsers: a program that sends a token has no session and no cookie.
BROWSER_MIDDLEWARE = [
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "fallujah_server.urls"
WSGI_APPLICATION = "fallujah_server.wsgi.application"
ASGI_APPLICATION = "fallujah_server.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": env.database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "web:sign-in"
LOGIN_REDIRECT_URL = "web:home"
LOGOUT_REDIRECT_URL = "web:home"

SECURE_SSL = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY", False) else None
SECURE_SSL_REDIRECT = SECURE_SSL
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 31_536_000 if SECURE_SSL else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_SSL
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
STATIC_URL = "static/"
STATIC_ROOT = env.text("STATIC_ROOT", str(env.BASE / "staticfiles"))
STATICFILES_DIRS = [("fonts", str(env.BASE / "games" / "drawing" / "fonts"))]
WHITENOISE_USE_FINDERS = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

globals().update(env.mail())
DEFAULT_FROM_EMAIL = env.text("MAIL_FROM", "play@localhost")
MAIL_DELAY_SECONDS = env.number("MAIL_DELAY_SECONDS", 3)
# Names under which the receiver in front of us writes Authentication-Results; a mail must then pass.
MAIL_AUTHSERV = env.words("MAIL_AUTHSERV")
# How a mail's origin is checked: off, results (of the receiver in front), own, or auto. See docs/operating.md.
MAIL_CHECK = env.choice("MAIL_CHECK", ("auto", "off", "results", "own"))
MAIL_ARC_TRUSTED = env.words("MAIL_ARC_TRUSTED")  # domains of forwarders whose seals are believed
MAIL_DNS = env.words("MAIL_DNS")  # name servers for our own checks; empty: those of the machine
MAIL_SECRET = env.text("MAIL_SECRET")  # of the webhook that takes raw mail; empty: it is closed
MAIL_SERVICES = env.words("MAIL_SERVICES")  # mail services that may call /mail/services/<name>/
ANYMAIL = {**env.options("ANYMAIL"), "WEBHOOK_SECRET": f"mail:{MAIL_SECRET}"}  # what each of them needs
if MAIL_SERVICES and not MAIL_SECRET:
    raise ValueError("FALLUJAH_MAIL_SERVICES needs FALLUJAH_MAIL_SECRET: services must prove who calls.")
MAIL_RELAYS = env.words("MAIL_RELAYS")  # public addresses of mail hosts whose results are believed
MAIL_IMAP_URL = env.text("MAIL_IMAP_URL")  # imap[s]://user:password@host:port/folder, polled
MAIL_SMTP_PORT = env.number("MAIL_SMTP_PORT", 0)  # of the built-in receiver; 0: none

CELERY_BROKER_ADDRESS, CELERY_TRANSPORT = env.broker()
EMBEDDED_QUEUE = not env.text("REDIS_URL")
# Bots think in processes of their own, within these limits for each decision.
BOT_SECONDS = env.number("BOT_SECONDS", 5)  # of processor time
BOT_SECONDS_OF = env.numbers("BOT_SECONDS_OF")  # other figures for single bots: planner=10
BOT_SECONDS_MOST = env.number("BOT_SECONDS_MOST", 60)  # what a match may ask for
BOT_WALL_FACTOR = env.number("BOT_WALL_FACTOR", 4)  # seconds on the clock for one of processor time
BOT_MEMORY_MB = env.number("BOT_MEMORY_MB", 512)
BOT_NICE = env.number("BOT_NICE", 10)
BOT_WORKERS = env.number("BOT_WORKERS", 2)  # decisions thought about at once
BOT_LEASE_SECONDS = env.number("BOT_LEASE_SECONDS", 20)  # a worker silent for so long has lost its job
BOT_IDLE_SECONDS = env.number("BOT_IDLE_SECONDS", 300)  # then a thinking process ends to give its memory back
BOT_QUESTIONS = env.number("BOT_QUESTIONS", 5000)  # and after so many decisions another one takes over
BOT_CLASSES = env.words("BOT_CLASSES")  # a host's own bots: card_assault.grinder=mybots.grinder:Grinder
CLAIM_SECONDS = env.number("CLAIM_SECONDS", 120)
SWEEP_SECONDS = env.number("SWEEP_SECONDS", 10)
WORK_SCHEDULE = {
    "tidy": {"task": "games.ledger.tasks.tidy_task", "schedule": schedule(6 * 3600)},
    "sweep": {"task": "games.ledger.tasks.sweep_task", "schedule": schedule(SWEEP_SECONDS)},
    "webhooks": {
        "task": "notifications.webhooks.tasks.webhook_sweep_task",
        "schedule": schedule(SWEEP_SECONDS),
    },
    "deliver": {"task": "notifications.tasks.outbox_sweep_task", "schedule": schedule(SWEEP_SECONDS)},
    "read-mail": {"task": "notifications.tasks.inbound_sweep_task", "schedule": schedule(SWEEP_SECONDS)},
    "poll-mail": {"task": "notifications.tasks.imap_poll_task", "schedule": schedule(SWEEP_SECONDS)},
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated", "api.tokens.TokenAllows"],
    "DEFAULT_RENDERER_CLASSES": ["api.wire.JsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.wire.JsonParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.wire.OneForm",
    "DEFAULT_SCHEMA_CLASS": "api.describe.Schema",
    "EXCEPTION_HANDLER": "api.errors.problem_handler",
    "DEFAULT_THROTTLE_CLASSES": ["api.limits.Limits"],
}
# Requests a minute: of one address, one token, changes of one seat, sign-ins of one address.
API_LIMITS = {
    "address": env.number("LIMIT_ADDRESS", 3000),
    "token": env.number("LIMIT_TOKEN", 1200),
    "seat": env.number("LIMIT_SEAT", 600),
    "sign-in": env.number("LIMIT_SIGN_IN", 30),
}
COUNTER_URL = env.text("REDIS_URL")  # where processes share these counts; empty: each has its own
# Commits ring a bell in Redis where there is one, else within the process. One look for all streams of a process
# finds what nobody rang for.
BELL_ADDRESS = env.text("REDIS_URL")
BELL_CHANNEL = f"{env.text('QUEUE_PREFIX')}fallujah-bell"
STREAM_POLL_SECONDS = 0.25
STREAM_LOOK_SECONDS = 5  # while the bell is heard
STREAM_HEARTBEAT_SECONDS = 15
# Webhooks go to public https addresses only; a host that calls its own machines may loosen this.
WEBHOOK_INSECURE = env.flag("WEBHOOK_INSECURE", DEBUG)
WEBHOOK_PORTS = [443, 8443]
WEBHOOK_SECONDS = env.number("WEBHOOK_SECONDS", 15)  # for one call from the first look-up to the answer
BEHIND_PROXY = env.flag("BEHIND_PROXY", False)
CACHES = {"default": env.cache()}
SPECTACULAR_SETTINGS = {
    "TITLE": "Fallujah Server",
    "DESCRIPTION": "Play wargames one move at a time. Every decision lists its legal actions.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "api.openapi.finish"],
    "ENUM_NAME_OVERRIDES": {
        "MatchStatusEnum": ["open", "playing", "over", "cancelled"],
        "InvitationStatusEnum": ["open", "accepted", "declined", "cancelled", "expired"],
    },
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    # kombu misses a host name in a queue of files; the mail receiver tells every connection.
    "loggers": {"kombu.connection": {"level": "ERROR"}, "mail.log": {"level": "WARNING"}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
}
