"""The store in a Citus cluster."""
