"""What scripts/studies/simulate_family.py simulates a family with."""
