>DL;x
t
ac-gt*
C;note
