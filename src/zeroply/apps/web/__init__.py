"""The page where a person plays against a net, and the server behind it."""

from zeroply.apps.web.server import create_app
from zeroply.apps.web.serving import serve

__all__ = ["create_app", "serve"]
