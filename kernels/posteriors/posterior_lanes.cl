// SPDX-License-Identifier: Apache-2.0
// Posteriors for CPU devices: one work-item computes one task of up to ACCORD_LANES pairs
// (posteriors/lanes_task.h). Host sets: ACCORD_LANES, one of 4 8 16.
#include "posteriors/lanes_task.h"

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void posterior_lanes(
    __global const accord_model* model, __global const uchar* codes,
    __global const accord_sequence* sequences, __global const accord_pair_task* tasks,
    uint task_count, __global float* memory, __global accord_cell* cells, __global uint* found) {
  if (get_group_id(0) >= task_count) return;
  __global const accord_pair_task* task = tasks + get_global_id(0);
  accord_lanes_input in;
  accord_lanes_output out;
  in.m = accord_set_int(0);
  __global const accord_sequence* x = sequences + task->x;
  const accord_sequence y = sequences[task->y];
  in.m_longest = (int)x[0].length;
  in.m_shortest = (int)x[task->count - 1].length;
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const int used = (uint)lane < task->count;
    in.x[lane] = codes + x[used ? lane : 0].first;
    if (used) accord_lane_int(in.m, lane) = (int)x[lane].length;
    out.cells[lane] = cells + task->cells + (ulong)(used ? lane : 0) * task->capacity;
    out.count[lane] = 0;
  }
  in.y = codes + y.first;
  in.n = (int)y.length;
  out.capacity = task->capacity;
  const accord_workspace plan = accord_plan_workspace(x[0].length, y.length, task->band_columns);
  accord_lanes_task(&in, &plan, model, (__global accord_vf*)(memory + task->memory), &out);
  for (uint lane = 0; lane < task->count; ++lane) found[task->found + lane] = out.count[lane];
}
