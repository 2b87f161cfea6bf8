// SPDX-License-Identifier: Apache-2.0
// Copies the segments of each pair from their reserved space into one list without gaps, so that
// the host reads existing segments only. One work-group per pair.
#include "local_pairs/local_layout.h"

__kernel void local_pack(__global const accord_local_segment* segments, __global const ulong* from,
                         __global const ulong* to, __global accord_local_segment* packed) {
  const ulong first = from[get_group_id(0)], place = to[get_group_id(0)];
  const ulong count = to[get_group_id(0) + 1] - place;
  for (ulong k = get_local_id(0); k < count; k += get_local_size(0)) {
    packed[place + k] = segments[first + k];
  }
}
