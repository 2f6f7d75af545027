"""The type of JSON objects, for those who need nothing else of the client."""

from typing import Any

Json = dict[str, Any]
"""A JSON object."""
