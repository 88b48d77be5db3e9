"""`make bench`: all benchmarks, one line each."""

from bench import batches, device, export, glance, legality, memory, pgn, replay, xiangqi

for benchmark in (pgn, memory, replay, device, batches, legality, xiangqi, export, glance):
    benchmark.main()
