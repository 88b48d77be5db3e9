"""Programs that people meet: the command line, chess protocols, the web page."""
