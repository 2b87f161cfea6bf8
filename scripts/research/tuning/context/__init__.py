"""What train_context.py is made of: classes of residues by the letters around them."""
