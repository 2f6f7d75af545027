"""Events: their envelope, their bytes, their place in the hash chain."""
