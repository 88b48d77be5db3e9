"""How programs end, the command line and those for machines without its packages: which line, which code."""

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from zeroply.errors import StoppedError, ZeroplyError

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@contextmanager
def exit_codes(when_stopped: str = "") -> Iterator[None]:
    """Around a whole program: 0 done, 2 usage or bad input in one line, 130 after Ctrl-C (`when_stopped` says
    what becomes of the work), 1 anything else."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may have few characters
    try:
        yield
    except ZeroplyError as error:
        _fail(str(error), 2)
    except ModuleNotFoundError as error:
        if (error.name or "zeroply").startswith("zeroply"):
            raise  # a mistake of ours
        _fail(f"this needs the package '{error.name}'. Install it: pip install {error.name}", 2)
    except StoppedError as stop:
        _fail(f"stopped; {stop}", 130)
    except KeyboardInterrupt:
        _fail(f"stopped; {when_stopped}" if when_stopped else "stopped", 130)
    except BrokenPipeError:  # whoever read our output has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        step = "Check the path" if missing else "Nothing was written there. Give another place"
        _fail(f"{error.strerror or error}: {error.filename or 'what is written to'}. {step}", 2)


def _fail(line: str, code: int) -> NoReturn:
    if line:  # which may repeat what stood in a file; a terminal obeys control characters
        print(CONTROL.sub(lambda found: ascii(found[0])[1:-1], line), file=sys.stderr)
    sys.exit(code)
