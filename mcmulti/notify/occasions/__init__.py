"""What players get messages about: these modules fill the outbox."""
