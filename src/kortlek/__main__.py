"""``python -m kortlek``: the command line."""

import sys

from kortlek.command import main

if __name__ == "__main__":
    sys.exit(main())
