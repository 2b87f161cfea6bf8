// SPDX-License-Identifier: Apache-2.0
// Scaled single precision: the values of a tile of 8 x 8 cells are stored as v, where v * 2^E is
// the true value, and E is one integer per tile.
//
//   E(I,J) = largest exponent among the tile's inputs - ACCORD_TARGET_EXPONENT
//
// The inputs are the last row of the tile above, the last column of the tile on the left, the
// corner between them, and the injected values of the border. All of them count: if the exponent
// followed the left tile only, it would stay above gaps that fall faster, and a long gap would be
// lost.
//
// Inputs are multiplied by the exact power of two between the two scales, and become 0 below
// ACCORD_SMALLEST_INPUT. A tile multiplies its inputs by less than 2^48 (8 matches of 2^5.3 and the
// sum over paths), and by more than 2^-42 on any path, so values stay in [2^-126, 2^60): nothing
// overflows, nothing is denormal, and the product of a forward and a backward value of one cell is
// finite. Scaling is exact, so results do not depend on the places of tiles. Dropped values are
// 2^-94 below the largest input of the same tile and do not matter (a lost path is at most 2^-34 of
// the total; a right path leaves the tile with a bounded number of matches).
#ifndef ACCORD_KERNELS_POSTERIORS_SCALING_H
#define ACCORD_KERNELS_POSTERIORS_SCALING_H
#include "shared/vector.h"

#define ACCORD_TARGET_EXPONENT 10
#define ACCORD_SMALLEST_INPUT 5.169878828456423e-26f /* 2^-84 */
#define ACCORD_NO_EXPONENT (-(1 << 28))              /* of a tile whose inputs are all 0 */
// The exponent of an input counts as at least this for the choice of E, so that the factor of
// accord_rescale() is at most 2^110, a finite float.
#define ACCORD_LOWEST_INPUT_EXPONENT (-100)

// 2^e exactly for e in [-126, 127]; 0 below, and 2^127 above.
ACCORD_FUNCTION accord_vf accord_pow2(accord_vi e) {
  const accord_vi biased =
      accord_min_int(accord_max_int(e, accord_set_int(-127)), accord_set_int(127)) +
      accord_set_int(127);
  return accord_as_vf(ACCORD_SHIFT_LEFT(biased, 23));
}

// The binary exponent of a positive normal number; -127 for 0.
ACCORD_FUNCTION accord_vi accord_exponent(accord_vf v) {
  return ACCORD_SHIFT_RIGHT(accord_as_vi(v), 23) - accord_set_int(127);
}

// The exponent of the true value v * 2^scale of an input, v >= 0, for the choice of E;
// ACCORD_NO_EXPONENT if v is 0. The exponent of v counts as at least ACCORD_LOWEST_INPUT_EXPONENT.
ACCORD_FUNCTION accord_vi accord_input_exponent(accord_vf v, accord_vi scale) {
  const accord_vi exponent =
      accord_max_int(accord_exponent(v), accord_set_int(ACCORD_LOWEST_INPUT_EXPONENT)) + scale;
  return accord_choose_positive(v, exponent, accord_set_int(ACCORD_NO_EXPONENT));
}

// E of a tile, from the largest exponent of its inputs.
ACCORD_FUNCTION accord_vi accord_tile_exponent(accord_vi largest_input) {
  return largest_input - accord_set_int(ACCORD_TARGET_EXPONENT);
}

// An input in the scale of its new tile; factor = accord_pow2(old scale - new scale).
ACCORD_FUNCTION accord_vf accord_rescale(accord_vf v, accord_vf factor) {
  const accord_vf scaled = v * factor;
  return accord_where_ge(scaled, accord_set(ACCORD_SMALLEST_INPUT), scaled);
}

#endif
