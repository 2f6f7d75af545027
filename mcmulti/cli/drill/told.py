"""How commands speak of backups."""

from mcmulti.events.backup.manifest import Manifest


def told(manifest: Manifest) -> str:
    """What a backup holds, as an object of a sentence."""
    what = f"{counted(manifest.games, 'game')} with {counted(manifest.events, 'event')}"
    return f"{what}, as of {manifest.made_at:%Y-%m-%dT%H:%M:%SZ} ({manifest.bytes:,} bytes)"


def counted(number: int, what: str) -> str:
    """So many of something."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
