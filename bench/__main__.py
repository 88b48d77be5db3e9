"""`make bench`: all benchmarks, one line each."""

from bench import device, glance, legality, pgn, replay

for benchmark in (pgn, replay, device, legality, glance):
    benchmark.main()
