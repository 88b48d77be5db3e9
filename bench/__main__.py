"""`make bench`: all benchmarks, one line each."""

from bench import export, glance, legality, pgn, replay

for benchmark in (pgn, replay, legality, export, glance):
    benchmark.main()
