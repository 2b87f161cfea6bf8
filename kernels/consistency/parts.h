// SPDX-License-Identifier: Apache-2.0
// Finds the part that holds an item. The items of all parts are numbered, one part behind another.
#ifndef ACCORD_SHARED_PARTS_H
#define ACCORD_SHARED_PARTS_H
#include "shared/platform.h"

// The part that holds `item`. `first` has the number of the first item of each of `count` parts,
// `stride` words apart. A part without items is never found.
ACCORD_FUNCTION accord_u32 accord_find_part(ACCORD_GLOBAL const accord_u32* first,
                                            accord_u32 stride, accord_u32 count, accord_u32 item) {
  accord_u32 low = 0;
  while (count - low > 1) {
    const accord_u32 middle = low + (count - low) / 2;
    if (first[middle * stride] <= item) {
      low = middle;
    } else {
      count = middle;
    }
  }
  return low;
}

#endif
