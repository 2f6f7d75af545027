"""What ``review``, ``evaluate``, and ``export --review`` share."""
