"""Ours and peers side by side: the same as ``kortlek bench``."""

import sys

from kortlek.command.bench import main

if __name__ == "__main__":
    main(sys.argv[1:])
