"""`make bench`: all benchmarks, one line each."""

from bench import glance, legality, pgn, replay, xiangqi

for benchmark in (pgn, replay, legality, xiangqi, glance):
    benchmark.main()
