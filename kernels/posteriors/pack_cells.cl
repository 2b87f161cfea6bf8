// SPDX-License-Identifier: Apache-2.0
// Copies the cells of each pair from their reserved space into one list without gaps, so that the
// host reads existing cells only. One work-group per pair.
//
// With ACCORD_COMBINE, the cells have the posteriors of both models, which are combined here, where
// no work-item waits for the cells of another.
#include "posteriors/combine.h"

#ifdef ACCORD_COMBINE
typedef accord_found_cell accord_unpacked_cell;
#else
typedef accord_cell accord_unpacked_cell;
#endif

__kernel void pack_cells(__global const accord_model* model,
                         __global const accord_unpacked_cell* cells, __global const ulong* from,
                         __global const ulong* to, __global accord_cell* packed) {
  const ulong first = from[get_group_id(0)], place = to[get_group_id(0)];
  const ulong count = to[get_group_id(0) + 1] - place;
#ifdef ACCORD_COMBINE
  const accord_combination combination = accord_combination_of(model);
#endif
  for (ulong k = get_local_id(0); k < count; k += get_local_size(0)) {
#ifdef ACCORD_COMBINE
    const accord_found_cell found = cells[first + k];
    accord_cell cell;
    cell.row = found.row;
    cell.column = found.column;
    cell.probability = accord_combined(&combination, found.posterior[ACCORD_HMM],
                                       found.posterior[ACCORD_PARTITION]);
    packed[place + k] = cell;
#else
    packed[place + k] = cells[first + k];
#endif
  }
}
