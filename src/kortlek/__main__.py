"""``python -m kortlek``: the command line."""

import sys

if __name__ == "__main__":  # processes that it starts read this too, and need no command line
    from kortlek.cli import main

    sys.exit(main())
