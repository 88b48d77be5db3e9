"""How the bundled nets and the table of six were made, to be made again: README.md tells in which order."""
