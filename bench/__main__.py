"""`make bench`: all benchmarks, one line each."""

from bench import glance, legality, memory, pgn, replay

for benchmark in (pgn, memory, replay, legality, glance):
    benchmark.main()
