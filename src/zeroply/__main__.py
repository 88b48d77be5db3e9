"""`python -m zeroply …` is `zeroply …`."""

from zeroply.apps.cli import main

main()
