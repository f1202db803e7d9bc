"""The project's version and web addresses, for reports."""

HOME = "https://github.com/tcgen05-dialect/tcgen05-dialect"
DOCUMENTATION = f"{HOME}/tree/main/docs"
RULES = f"{HOME}/blob/main/tcgen05_dialect/rules"


def version() -> str:
    """The version of the installed project; of a source tree that is not installed, `unknown`."""
    from importlib import metadata

    try:
        return metadata.version("tcgen05-dialect")
    except metadata.PackageNotFoundError:
        return "unknown"
