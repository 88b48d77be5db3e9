"""What people meet: the command line, UCI, the page."""
