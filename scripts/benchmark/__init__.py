"""The benchmark harness behind scripts/benchmark.py, a file a concern.

datasets -> families; aligners -> commands; runner: families x commands -> results (a TSV);
summary: results -> means; report and figures: what people look at; measured and documents: the
tables of README and docs. Standard library only.
"""
