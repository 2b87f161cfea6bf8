// SPDX-License-Identifier: Apache-2.0
// Copies the cells that each pair has found out of the room that was kept for it into one list
// without gaps, so that the host reads no more than there is. One work-group a pair.
//
// With ACCORD_SQUARES the cells hold the sum of the squares of both models' probabilities, and get
// the root mean square here, where no work-item waits for the cells of another.
#include "shared/combine.h"

__kernel void pack_cells(__global const accord_cell* cells, __global const ulong* from,
                         __global const ulong* to, __global accord_cell* packed) {
  const ulong first = from[get_group_id(0)], place = to[get_group_id(0)];
  const ulong count = to[get_group_id(0) + 1] - place;
  for (ulong k = get_local_id(0); k < count; k += get_local_size(0)) {
    packed[place + k] = cells[first + k];
#ifdef ACCORD_SQUARES
    packed[place + k].probability = accord_root_mean_square(cells[first + k].probability);
#endif
  }
}
