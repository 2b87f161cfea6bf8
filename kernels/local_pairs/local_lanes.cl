// SPDX-License-Identifier: Apache-2.0
// Local alignments for CPU devices: one work-item takes one task of up to ACCORD_LANES pairs
// (local_pairs/task.h). Host sets: ACCORD_LANES, one of 4 8 16.
#include "shared/vector.h"
// The included text uses the vectors.
#include "local_pairs/task.h"

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void local_lanes(
    __global const accord_local_scores* scores, __global const uchar* codes,
    __global const accord_local_job* jobs, uint job_count, __global ulong* memory,
    __global accord_local_segment* segments, __global accord_local_result* results) {
  if (get_group_id(0) >= job_count) return;
  __global const accord_local_job* job = jobs + get_group_id(0);
  accord_local_input in;
  accord_local_found found[ACCORD_LANES];
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    const int used = (uint)lane < job->count;
    in.x[lane] = codes + job->first_x[used ? lane : 0];
    in.m[lane] = used ? (int)job->length_x[lane] : 0;
    found[lane].segments = segments + job->segments + (ulong)(used ? lane : 0) * job->length_y;
  }
  in.y = codes + job->first_y;
  in.m_longest = (int)job->length_x[0];
  in.n = (int)job->length_y;
  in.scores = scores;
  accord_local_task(&in, job->plan, (__global accord_vi*)(memory + job->memory), found);
  for (uint lane = 0; lane < job->count; ++lane) {
    results[job->result + lane].score = found[lane].best;
    results[job->result + lane].segments = found[lane].count;
  }
}
