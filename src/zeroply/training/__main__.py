"""`python -m zeroply.training …`: what `zeroply train` does, where only torch and Lightning are installed."""

import sys

from zeroply.exits import exit_codes
from zeroply.training.command import main

if __name__ == "__main__":
    with exit_codes(when_stopped="nothing was learnt"):
        main(sys.argv[1:])
