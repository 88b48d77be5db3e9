"""`make bench`: all benchmarks, one line each."""

from bench import glance, legality, pgn, replay

for benchmark in (pgn, replay, legality, glance):
    benchmark.main()
