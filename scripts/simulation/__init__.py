"""What scripts/simulate_family.py simulates a family with."""
