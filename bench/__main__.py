"""`make bench`: all benchmarks, one line each."""

from bench import export, glance, legality, memory, pgn, replay

for benchmark in (pgn, memory, replay, legality, export, glance):
    benchmark.main()
