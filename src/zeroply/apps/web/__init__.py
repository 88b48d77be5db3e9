"""The page where a person plays against a net, and the server behind it."""

from zeroply.apps.web.server import create_app, serve

__all__ = ["create_app", "serve"]
