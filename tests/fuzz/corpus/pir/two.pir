>P1;a
title
MKV
LA*
>P1;b

MK*
