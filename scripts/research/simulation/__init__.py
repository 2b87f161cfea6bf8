"""What scripts/research/simulate_family.py simulates a family with."""
