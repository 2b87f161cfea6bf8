T-COFFEE, Version_11

a  AC-T 3
b  ACGT 4
   ** *
