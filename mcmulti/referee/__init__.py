"""The only writer of the log: decides and appends, tells who waits what happened, keeps deadlines."""
