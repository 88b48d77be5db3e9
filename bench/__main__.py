"""`make bench`: all benchmarks, one line each."""

from bench import batches, glance, legality, pgn, replay

for benchmark in (pgn, replay, batches, legality, glance):
    benchmark.main()
