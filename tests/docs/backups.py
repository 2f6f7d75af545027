"""The part of the guide about backups."""


def of_backups(section: str) -> bool:
    """Whether a section of a guide is about backups."""
    return section.startswith(("## Backups", "## Restore"))
