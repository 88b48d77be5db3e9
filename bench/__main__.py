"""`make bench`: all benchmarks, one line each."""

from bench import glance, replay

for benchmark in (replay, glance):
    benchmark.main()
