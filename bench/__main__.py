"""`make bench`: all benchmarks, one line each."""

from bench import export, glance, legality, memory, pgn, replay, xiangqi

for benchmark in (pgn, memory, replay, legality, xiangqi, export, glance):
    benchmark.main()
