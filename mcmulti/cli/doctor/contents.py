"""How commands describe backups."""

from mcmulti.events.backup.manifest import Manifest


def contents_of(manifest: Manifest) -> str:
    """The contents of a backup, as a phrase."""
    what = f"{counted(manifest.games, 'game')} with {counted(manifest.events, 'event')}"
    return f"{what}, as of {manifest.made_at:%Y-%m-%dT%H:%M:%SZ} ({manifest.bytes:,} bytes)"


def counted(number: int, what: str) -> str:
    """A count with its noun."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
