"""`make bench`: all benchmarks, one line each."""

from bench import batches, device, engines, export, glance, int8, legality, load, memory, pgn, replay, xiangqi

ALL = (pgn, memory, replay, device, batches, legality, xiangqi, export, glance, int8, engines, load)
for benchmark in ALL:
    benchmark.main()
