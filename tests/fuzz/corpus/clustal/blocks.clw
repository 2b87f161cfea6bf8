CLUSTAL W

a MK-V 3
b M--V 2
  *  *

a L 4
b L 3
