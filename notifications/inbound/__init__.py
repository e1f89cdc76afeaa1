"""Mail that people send: read without a database first, then acted on."""
