// SPDX-License-Identifier: Apache-2.0
// The peeling of likelihoods for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "phylogeny/likelihood/likelihood_peel.hpp"

namespace accord::host {
namespace {

/// Sums of kProducts rows of a matrix product side by side, each a chain in a fixed order.
constexpr int kProducts = 4;

template <int fixed>
void transition_of(const TransitionProduct& product) {
  const int states = fixed > 0 ? fixed : static_cast<int>(product.states);
  const int width = (states + kWidth - 1) / kWidth * kWidth;
  double* const scaled = product.scratch;
  for (int k = 0; k < states; ++k) {
    for (int s = 0; s < width; ++s) {
      scaled[k * width + s] =
          s < states ? product.right_columns[k * states + s] * product.factors[k] : 0;
    }
  }
  for (int j = 0; j < states; j += kProducts) {
    for (int s = 0; s < states; s += kWidth) {
      Vector sum[kProducts];
      for (int i = 0; i < kProducts; ++i) sum[i] = Vector{};
      for (int k = 0; k < states; ++k) {
        const Vector value = load(scaled + k * width + s);
#pragma GCC unroll 4
        for (int i = 0; i < kProducts; ++i) {
          const int column = j + i < states ? j + i : j;
          sum[i] = accord_fma_real(value, all(product.left[k * states + column]), sum[i]);
        }
      }
      for (int i = 0; i < kProducts && j + i < states; ++i) {
        double* const out = product.out + (j + i) * states + s;
        const Vector none{};
        Vector value = sum[i];
        if (product.is_probability) value = value < none ? none : value;
        for (int lane = 0; lane < kWidth && s + lane < states; ++lane) out[lane] = value[lane];
      }
    }
  }
}

void transition(const TransitionProduct& product) {
  switch (product.states) {
    case 4:
      return transition_of<4>(product);
    case 20:
      return transition_of<20>(product);
    case 61:
      return transition_of<61>(product);
    default:
      return transition_of<0>(product);
  }
}

}  // namespace

extern const PeelKernels<float> ACCORD_OF_ISA(kSinglePeelKernels);  // likelihood_single_isa.cpp
extern const QuartetKernels ACCORD_OF_ISA(kQuartetKernels);         // quartet_isa.cpp
extern const LikelihoodKernels ACCORD_OF_ISA(kLikelihoodKernels);
const LikelihoodKernels ACCORD_OF_ISA(kLikelihoodKernels) = {
    kPeelKernels, &ACCORD_OF_ISA(kSinglePeelKernels), transition, &ACCORD_OF_ISA(kQuartetKernels)};

}  // namespace accord::host
