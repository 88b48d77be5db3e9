"""`make bench`: all benchmarks, one line each."""

from bench import batches, device, engines, export, glance, int8, legality, memory, pgn, replay, xiangqi

for benchmark in (pgn, memory, replay, device, batches, legality, xiangqi, export, glance, int8, engines):
    benchmark.main()
