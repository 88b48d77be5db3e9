"""`make bench`: all benchmarks, one line each."""

from bench import glance, legality, replay

for benchmark in (replay, legality, glance):
    benchmark.main()
