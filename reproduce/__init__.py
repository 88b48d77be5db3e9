"""What the table of six and the next bundled nets learn from: README.md tells what is made of what."""
