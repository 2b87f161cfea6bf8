// SPDX-License-Identifier: Apache-2.0
// Finds the part that holds an item. The items of all parts are numbered, one part behind another.
#ifndef ACCORD_KERNELS_CONSISTENCY_PARTS_H
#define ACCORD_KERNELS_CONSISTENCY_PARTS_H
#include "shared/platform.h"

// Returns the index of the part that holds `item`, from 0. `count`: number of parts, at least 1;
// first[k * stride] is the number of the first item of part k. `item` must be in one of the parts.
// A part without items is never found.
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
