"""PostgreSQL's programs: a server of our own, its upgrades, and backups, also as of an earlier moment."""
