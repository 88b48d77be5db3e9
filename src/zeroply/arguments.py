"""Arguments of programs for machines without the command line's packages: mistakes are one line."""

import argparse
from typing import NoReturn

from zeroply.errors import ZeroplyError


class Parser(argparse.ArgumentParser):
    def __init__(self, program: str, description: str | None = None) -> None:
        super().__init__(prog=program, description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise ZeroplyError(f"{message}. See {self.prog} --help")


def whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return int(text)


def some(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 1 or more")
    return int(text)
