"""What ``review`` and ``evaluate`` print."""
