"""The parts of tune.py: families and their halves, scores, search space, evaluation."""
