"""Kortlek and other libraries side by side: the same as ``kortlek bench``."""

import sys

from kortlek.cli import main

if __name__ == "__main__":
    sys.exit(main(["bench", *sys.argv[1:]]))
