# SPDX-License-Identifier: Apache-2.0
"""The program accord, which a wheel brings along; the package to import is accord.

It stands apart from that one so that the command needs neither NumPy nor the module.
"""
import os
import sys
from typing import NoReturn

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "accord")


def main() -> NoReturn:
    """The command accord: becomes the program."""
    os.execv(PROGRAM, sys.argv)
