// SPDX-License-Identifier: Apache-2.0
// Neighbour joining (neighbor_joining/join.h). A step has two halves: `scan` finds the best pair of
// every work-group, and `unite` joins the best of these pairs. A large matrix is spread over the
// whole device, and each half is a launch. A small matrix belongs to a single work-group, which
// computes many steps in one launch. Places without a cluster stay in the matrix.
//
// No half reads data that it writes: found pairs are stored twice, for even and odd steps; the sum
// of the newest cluster's row, known only when all groups of `unite` have ended, is in `united`
// instead of `sum` for one step.
//
// ACCORD_NJ_GROUP: work-items of a group, a power of two.
#include "neighbor_joining/join.h"

// One matrix, and the data that the groups working on it exchange.
typedef struct join_matrix {
  __global int* distance;  // triangle
  __global long* sum;      // R_i; ACCORD_NJ_GONE without a cluster, and for the newest one
  __global int* reference;
  __global int* low;
  __global accord_join* joins;        // one per step
  __global long* united;              // one per step: row sum of its new cluster
  __global accord_nj_found* found;    // 2 x scanners
  __global accord_nj_tally* tallies;  // uniters
  uint places;
  uint scanners;  // number of groups in scan
  uint uniters;   // number of groups in unite
  uint group;     // number of this group
} join_matrix;

// The cluster of the step before; place ACCORD_NJ_NO_PLACE if there is none.
typedef struct join_newest {
  uint place;
  int low;
  long sum;
} join_newest;

typedef struct join_scratch {
  accord_nj_candidate candidate[ACCORD_NJ_GROUP];
  accord_nj_tally tally[ACCORD_NJ_GROUP];
  uint promising[ACCORD_NJ_GROUP];  // rows that are being searched
  int low[ACCORD_NJ_GROUP];         // their lows
  uint promising_count;
  uint winner;
} join_scratch;

// The best candidate of the group's items; all items get it.
ACCORD_FUNCTION accord_nj_candidate best_of_group(__local join_scratch* scratch,
                                                  accord_nj_candidate mine) {
  const uint item = get_local_id(0);
  scratch->candidate[item] = mine;
  for (uint span = ACCORD_NJ_GROUP >> 1; span > 0; span >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < span &&
        accord_nj_before(scratch->candidate[item + span], scratch->candidate[item])) {
      scratch->candidate[item] = scratch->candidate[item + span];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const accord_nj_candidate best = scratch->candidate[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return best;
}

// The sum of the tallies of the group's items; all items get it.
ACCORD_FUNCTION accord_nj_tally tally_of_group(__local join_scratch* scratch,
                                               accord_nj_tally mine) {
  const uint item = get_local_id(0);
  scratch->tally[item] = mine;
  for (uint span = ACCORD_NJ_GROUP >> 1; span > 0; span >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < span) {
      scratch->tally[item] = accord_nj_add_tally(scratch->tally[item], scratch->tally[item + span]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const accord_nj_tally all = scratch->tally[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}

ACCORD_FUNCTION int distance_of(const join_matrix* m, uint i, uint k) {
  return m->distance[accord_nj_cell(i, k)];
}

// R of a place; ACCORD_NJ_GONE if it has no cluster.
ACCORD_FUNCTION long sum_of(const join_matrix* m, join_newest newest, uint i) {
  return i == newest.place ? newest.sum : m->sum[i];
}

// The least S, in this step, of the pairs that the groups found in the step before.
ACCORD_FUNCTION long limit_of_step(__local join_scratch* scratch, const join_matrix* m, uint step,
                                   join_newest newest) {
  const int factor = (int)(m->places - step) - 2;
  accord_nj_candidate mine = {ACCORD_NJ_NO_VALUE, 0, 0};
  __global const accord_nj_found* before = m->found + ((step + 1) & 1) * m->scanners;
  for (uint s = get_local_id(0); step > 0 && s < m->scanners; s += ACCORD_NJ_GROUP) {
    const uint i = before[s].best.i, j = before[s].best.j;
    if (i == ACCORD_NJ_NO_PLACE) continue;
    const long sum_i = sum_of(m, newest, i), sum_j = sum_of(m, newest, j);
    if (sum_i == ACCORD_NJ_GONE || sum_j == ACCORD_NJ_GONE) continue;
    mine.value = min(mine.value, accord_nj_value(factor, distance_of(m, i, j), sum_j) - sum_i);
  }
  return best_of_group(scratch, mine).value;
}

// The best pair in the row of place i among this item's columns, and the low of these columns.
ACCORD_FUNCTION accord_nj_candidate scan_row(const join_matrix* m, uint i, int factor,
                                             join_newest newest, int* low) {
  __global const int* distance = m->distance + accord_nj_row(i);
  const uint item = get_local_id(0);
  accord_nj_candidate best = {ACCORD_NJ_NO_VALUE, i, 0};
  for (uint j = item; j < i; j += ACCORD_NJ_GROUP) {
    const int d = distance[j];
    const long value = accord_nj_value(factor, d, m->sum[j]);
    if (value < best.value) {
      best.value = value;
      best.j = j;
    }
    *low = min(*low, d - m->reference[j]);
  }
  if (item == 0 && newest.place < i) {
    const accord_nj_candidate other = {accord_nj_value(factor, distance[newest.place], newest.sum),
                                       i, newest.place};
    if (accord_nj_before(other, best)) best = other;
  }
  best.value -= sum_of(m, newest, i);
  return best;
}

// Searches the promising rows of a group. Returns the better of `best` and this item's best pair.
ACCORD_FUNCTION accord_nj_candidate scan_promising(__local join_scratch* scratch,
                                                   const join_matrix* m, int factor,
                                                   join_newest newest, accord_nj_candidate best) {
  // The other items have read the lows that this function writes.
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint item = get_local_id(0), count = scratch->promising_count;
  for (uint k = 0; k < count; ++k) {
    int low = ACCORD_NJ_FARTHEST;
    const accord_nj_candidate mine = scan_row(m, scratch->promising[k], factor, newest, &low);
    if (accord_nj_before(mine, best)) best = mine;
    atomic_min(&scratch->low[k], low);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < count) m->low[scratch->promising[item]] = scratch->low[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  return best;
}

// First half of a step: every group finds the best pair in its rows, and skips rows that cannot
// have it.
ACCORD_FUNCTION void scan(__local join_scratch* scratch, const join_matrix* m, uint step) {
  const uint item = get_local_id(0);
  const int factor = (int)(m->places - step) - 2;
  join_newest newest = {ACCORD_NJ_NO_PLACE, 0, 0};
  long excess = 0;  // in the first step, lows are so small that no row is skipped
  if (step > 0) {
    accord_nj_tally tally = accord_nj_no_tally();
    for (uint g = item; g < m->uniters; g += ACCORD_NJ_GROUP) {
      tally = accord_nj_add_tally(tally, m->tallies[g]);
    }
    tally = tally_of_group(scratch, tally);
    newest.place = m->joins[step - 1].i;
    newest.low = tally.low;
    newest.sum = tally.sum;
    excess = max(tally.excess, accord_nj_excess(tally.sum, factor, m->reference[newest.place]));
    if (m->group == 0 && item == 0) m->united[step - 1] = tally.sum;
  }
  const long limit = limit_of_step(scratch, m, step, newest);
  accord_nj_candidate best = {ACCORD_NJ_NO_VALUE, ACCORD_NJ_NO_PLACE, 0};
  for (uint first = m->group; first < m->places; first += m->scanners * ACCORD_NJ_GROUP) {
    if (item == 0) scratch->promising_count = 0;
    scratch->low[item] = ACCORD_NJ_FARTHEST;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint i = first + m->scanners * item;
    if (i > 0 && i < m->places) {
      const long sum = sum_of(m, newest, i);
      const int low = i == newest.place ? newest.low : m->low[i];
      if (sum != ACCORD_NJ_GONE && accord_nj_bound(factor, low, excess, sum) <= limit) {
        scratch->promising[atomic_inc(&scratch->promising_count)] = i;
      } else if (i == newest.place) {
        m->low[i] = low;
      }
    }
    best = scan_promising(scratch, m, factor, newest, best);
  }
  best = best_of_group(scratch, best);
  if (item == 0) {
    accord_nj_found found = m->found[((step + 1) & 1) * m->scanners + m->group];
    found.best.value = ACCORD_NJ_NO_VALUE;
    if (best.i != ACCORD_NJ_NO_PLACE) {
      found.best = best;
      found.sum_i = sum_of(m, newest, best.i);
      found.sum_j = sum_of(m, newest, best.j);
    }
    m->found[(step & 1) * m->scanners + m->group] = found;
  }
}

// The pair to join, with the data that a join stores.
ACCORD_FUNCTION accord_join choose(__local join_scratch* scratch, const join_matrix* m, uint step) {
  __global const accord_nj_found* found = m->found + (step & 1) * m->scanners;
  accord_nj_candidate mine = {ACCORD_NJ_NO_VALUE, ACCORD_NJ_NO_PLACE, 0};
  uint place = 0;
  for (uint s = get_local_id(0); s < m->scanners; s += ACCORD_NJ_GROUP) {
    if (!accord_nj_before(found[s].best, mine)) continue;
    mine = found[s].best;
    place = s;
  }
  const accord_nj_candidate best = best_of_group(scratch, mine);
  // Each row belongs to one group, so only one item holds this pair with a value.
  if (mine.value == best.value && mine.i == best.i && mine.j == best.j) scratch->winner = place;
  barrier(CLK_LOCAL_MEM_FENCE);
  place = scratch->winner;
  const accord_join join = {best.i, best.j, distance_of(m, best.i, best.j), found[place].sum_i,
                            found[place].sum_j};
  return join;
}

// Second half of a step: joins the best pair. The groups share the distances to the new cluster.
ACCORD_FUNCTION void unite(__local join_scratch* scratch, const join_matrix* m, uint step) {
  const uint item = get_local_id(0), clusters = m->places - step;
  const int factor = (int)clusters - 3;  // of the next step
  const int refresh = accord_nj_refreshes(clusters - 1);
  const join_newest newest = {step > 0 ? m->joins[step - 1].i : ACCORD_NJ_NO_PLACE, 0,
                              step > 0 ? m->united[step - 1] : 0};
  const accord_join join = choose(scratch, m, step);
  const int reference = accord_nj_union_reference(join.sum_i, join.sum_j, join.between, clusters);
  accord_nj_tally tally = accord_nj_no_tally();
  if (refresh) tally.low = ACCORD_NJ_LOWEST;
  for (uint k = m->group * ACCORD_NJ_GROUP + item; k < m->places;
       k += m->uniters * ACCORD_NJ_GROUP) {
    const long before = sum_of(m, newest, k);
    if (k == join.i) m->reference[k] = reference;
    if (k == join.i || k == join.j) m->sum[k] = ACCORD_NJ_GONE;
    if (k == join.i || k == join.j || before == ACCORD_NJ_GONE) continue;
    const int to_i = distance_of(m, k, join.i), to_j = distance_of(m, k, join.j);
    const int now = accord_nj_distance(to_i, to_j, (int)join.between);
    const long sum = before + now - to_i - to_j;
    m->distance[accord_nj_cell(k, join.i)] = now;
    m->sum[k] = sum;
    const int u_k = refresh ? accord_nj_reference(sum, factor) : m->reference[k];
    if (refresh) {
      m->reference[k] = u_k;
      m->low[k] = ACCORD_NJ_LOWEST;
    } else if (k > join.i) {
      m->low[k] = min(m->low[k], now - reference);
    }
    if (k < join.i) tally.low = min(tally.low, now - u_k);
    tally.sum += now;
    tally.excess = max(tally.excess, accord_nj_excess(sum, factor, u_k));
  }
  tally = tally_of_group(scratch, tally);
  if (item == 0) {
    m->tallies[m->group] = tally;
    if (m->group == 0) m->joins[step] = join;
  }
}

#define JOIN_BUFFERS                                                                \
  __global const accord_nj_task *tasks, __global int *distance, __global long *sum, \
      __global int *reference, __global int *low, __global accord_join *joins,      \
      __global long *united, __global accord_nj_found *found, __global accord_nj_tally *tallies

// The matrix of a task.
ACCORD_FUNCTION join_matrix open_matrix(JOIN_BUFFERS, uint task, uint scanners, uint uniters,
                                        uint group) {
  const uint place = tasks[task].first_place, step = tasks[task].first_step;
  const join_matrix m = {distance + tasks[task].cells,
                         sum + place,
                         reference + place,
                         low + place,
                         joins + step,
                         united + step,
                         found + 2 * scanners * task,
                         tallies + uniters * task,
                         tasks[task].places,
                         scanners,
                         uniters,
                         group};
  return m;
}

#define JOIN_ARGUMENTS tasks, distance, sum, reference, low, joins, united, found, tallies

// Computes up to `steps` steps of every task from `first_step` on, one work-group per task.
// `groups` is 1; with a constant 1, PoCL 3.1 would run the code of the first item for all items.
__kernel void neighbor_joining_small(JOIN_BUFFERS, uint groups, uint first_step, uint steps) {
  __local join_scratch scratch;
  const join_matrix m = open_matrix(JOIN_ARGUMENTS, get_group_id(0), groups, groups, 0);
  const uint end = min(first_step + steps, accord_nj_steps(m.places));
  for (uint step = first_step; step < end; ++step) {
    scan(&scratch, &m, step);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    unite(&scratch, &m, step);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

// The halves of a step of the first task, on the whole device.
__kernel void neighbor_joining_scan(JOIN_BUFFERS, uint uniters, uint step) {
  __local join_scratch scratch;
  const join_matrix m = open_matrix(JOIN_ARGUMENTS, 0, get_num_groups(0), uniters, get_group_id(0));
  scan(&scratch, &m, step);
}

__kernel void neighbor_joining_unite(JOIN_BUFFERS, uint scanners, uint step) {
  __local join_scratch scratch;
  const join_matrix m =
      open_matrix(JOIN_ARGUMENTS, 0, scanners, get_num_groups(0), get_group_id(0));
  unite(&scratch, &m, step);
}
