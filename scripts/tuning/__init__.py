"""The parts of scripts/tune.py: families and their halves, scores, search space, evaluation."""
