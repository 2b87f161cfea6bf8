// SPDX-License-Identifier: Apache-2.0
// Posteriors for CPU devices: one work-item takes one task of up to ACCORD_LANES pairs
// (shared/lanes_task.h). Host sets: ACCORD_LANES, one of 4 8 16.
#include "shared/lanes_task.h"

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void posterior_lanes(
    __global const accord_model* model, __global const uchar* codes,
    __global const accord_pair_task* tasks, uint task_count, __global float* memory,
    __global accord_cell* cells, __global uint* found) {
  if (get_group_id(0) >= task_count) return;
  __global const accord_pair_task* task = tasks + get_global_id(0);
  accord_lanes_input in;
  accord_lanes_output out;
  in.m = accord_set_int(0);
  in.m_longest = (int)task->length_x[0];
  in.m_shortest = (int)task->length_x[task->count - 1];
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const int used = (uint)lane < task->count;
    in.x[lane] = codes + task->first_x[used ? lane : 0];
    if (used) accord_lane_int(in.m, lane) = (int)task->length_x[lane];
    out.cells[lane] = cells + task->cells + (ulong)(used ? lane : 0) * task->capacity;
    out.count[lane] = 0;
  }
  in.y = codes + task->first_y;
  in.n = (int)task->length_y;
  out.capacity = task->capacity;
  const accord_workspace plan =
      accord_plan_workspace(task->length_x[0], task->length_y, task->band_columns);
  accord_lanes_task(&in, &plan, model, (__global accord_vf*)(memory + task->memory), &out);
  for (uint lane = 0; lane < task->count; ++lane) found[task->found + lane] = out.count[lane];
}
