"""Check of the arguments of public functions."""

_QUOTED = 60
"""Maximum number of characters of an argument that a message quotes."""


def check_type(name: str, value: object, types: tuple[type, ...], legal: str) -> None:
    """Raise TypeError unless an argument is of one of the types; `legal` describes them."""
    if not isinstance(value, types):
        found = f"{value!r:.{_QUOTED}} of type {type(value).__name__}"
        raise TypeError(f"{name} must be {legal}; found {found}")
