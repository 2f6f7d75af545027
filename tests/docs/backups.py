"""The part of the guide that is about backups."""


def of_backups(section: str) -> bool:
    """Whether the section of a guide is about backups."""
    return section.startswith(("## Backups", "## Restore"))
