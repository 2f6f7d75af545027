"""The only writer of the log: decides and appends, notifies those who wait, keeps deadlines."""
