"""`python -m zeroply.training …`: what `zeroply train` does, where only torch and Lightning are installed."""

import sys

from zeroply.errors import StoppedError, ZeroplyError
from zeroply.training.command import main

if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ZeroplyError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"{error.strerror or error}: {error.filename or 'no name'}", file=sys.stderr)
        sys.exit(2)
    except StoppedError as stop:
        print(f"stopped; {stop}", file=sys.stderr)
        sys.exit(130)
