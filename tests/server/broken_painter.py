"""A painter that dies in the middle of its first response."""

import sys

if __name__ == "__main__":
    sys.stdin.readline()  # its job
    sys.stdin.readline()
    sys.stdout.write('{"png": "iVBORw0K')
    sys.stdout.flush()
