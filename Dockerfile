# One image for web, worker and scheduler; docker-compose.yml starts it three times.
FROM python:3.11-slim-bookworm AS build
WORKDIR /srv/fallujah
COPY requirements/run.txt requirements/run.txt
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/run.txt

FROM python:3.11-slim-bookworm
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    FALLUJAH_VAR=/var/lib/fallujah FALLUJAH_STATIC_ROOT=/srv/fallujah/staticfiles
RUN useradd --system --uid 10001 --home-dir /var/lib/fallujah --create-home fallujah
WORKDIR /srv/fallujah
COPY --from=build /opt/venv /opt/venv
COPY manage.py pyproject.toml ./
COPY fallujah_server fallujah_server
COPY games games
COPY docs/rules docs/rules
COPY api api
COPY notifications notifications
COPY web web
RUN FALLUJAH_SECRET_KEY=only-for-collecting FALLUJAH_VAR=/tmp/build python manage.py collectstatic --noinput
USER fallujah
VOLUME /var/lib/fallujah
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen(u.Request('http://127.0.0.1:8000/api/v1/health', headers={'X-Forwarded-Proto': 'https'}), timeout=4)"]
CMD ["gunicorn", "fallujah_server.wsgi:application", "--bind", "0.0.0.0:8000", "--workers", "2", \
     "--worker-class", "gthread", "--threads", "16", "--keep-alive", "30", "--access-logfile", "-"]
