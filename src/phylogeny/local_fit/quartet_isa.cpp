// SPDX-License-Identifier: Apache-2.0
// The arithmetic of local fits for one instruction set; see engine/host/isa.hpp.
#include "engine/host/isa.hpp"
#include "phylogeny/likelihood/likelihood_vector.hpp"
#include "phylogeny/local_fit/quartet_kernels.hpp"

namespace accord::host {
namespace {

void multiply_any(const accord_real* matrix, const accord_real* in, std::uint32_t states,
                  accord_real* out) {
  switch (states) {
    case 4:
      return multiply<4>(matrix, in, 4, out);
    case 20:
      return multiply<20>(matrix, in, 20, out);
    case 61:
      return multiply<61>(matrix, in, 61, out);
    default:
      return multiply<0>(matrix, in, static_cast<int>(states), out);
  }
}

void look_up_rows(const accord_real* table, std::uint32_t rows, std::uint32_t width,
                  const std::uint8_t* codes, accord_real* out) {
  look_up(table, static_cast<int>(rows), width, codes, out);
}

void scaled_product_of(const accord_real* a, const accord_real* b, std::uint32_t rows,
                       accord_real* out, std::int32_t* shift) {
  scaled_product(a, b, static_cast<int>(rows), out, shift);
}

void multiply_rows_of(const accord_real* a, const accord_real* b, std::uint32_t rows,
                      accord_real* out) {
  for (std::uint32_t at = 0; at < rows * kLanes; at += kWidth) {
    store(out + at, load(a + at) * load(b + at));
  }
}

void scale_rows_of(const accord_real* in, const accord_real* factors, std::uint32_t rows,
                   accord_real* out) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (int v = 0; v < kVectors; ++v) {
      const std::uint32_t at = row * kLanes + static_cast<std::uint32_t>(v * kWidth);
      store(out + at, load(in + at) * all(factors[row]));
    }
  }
}

void slopes(const BranchBlock& block, accord_real* slope_and_curvature) {
  accord_real slope[kLanes], curvature[kLanes];
  const accord_real* const factors = block.factors;
  for (int v = 0; v < kVectors; ++v) {
    Vector value = load(block.invariant + v * kWidth), first = Vector{}, second = Vector{};
    for (std::uint32_t row = 0; row < block.rows; ++row) {
      const Vector product = load(block.products + row * kLanes + v * kWidth);
      value = accord_fma_real(product, all(factors[row]), value);
      first = accord_fma_real(product, all(factors[block.rows + row]), first);
      second = accord_fma_real(product, all(factors[2 * block.rows + row]), second);
    }
    const Vector weight = load(block.weights + v * kWidth);
    const Vector relative = first / value;
    store(slope + v * kWidth, weight * relative);
    store(curvature + v * kWidth, weight * (second / value - relative * relative));
    for (int lane = 0; lane < kWidth; ++lane) {
      // An impossible pattern has no slope; its value is left over from rounding.
      if (value[lane] > 0) continue;
      slope[v * kWidth + lane] = curvature[v * kWidth + lane] = 0;
    }
  }
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) {
      slope[lane] += slope[lane + half];
      curvature[lane] += curvature[lane + half];
    }
  }
  slope_and_curvature[0] = slope[0];
  slope_and_curvature[1] = curvature[0];
}

void likelihoods_of(const BranchBlock& block, accord_real* out) {
  for (int v = 0; v < kVectors; ++v) {
    Vector value = Vector{};
    for (std::uint32_t row = 0; row < block.rows; ++row) {
      value = accord_fma_real(load(block.products + row * kLanes + v * kWidth),
                              all(block.factors[row]), value);
    }
    store(out + v * kWidth, value);
  }
}

void likelihoods_at_node_of(const accord_real* const messages[3], const accord_real* factors,
                            std::uint32_t rows, accord_real* out) {
  for (int v = 0; v < kVectors; ++v) {
    Vector value = Vector{};
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::uint32_t at = row * kLanes + static_cast<std::uint32_t>(v * kWidth);
      const Vector of_two = load(messages[0] + at) * load(messages[1] + at);
      value = accord_fma_real(of_two, load(messages[2] + at) * all(factors[row]), value);
    }
    store(out + v * kWidth, value);
  }
}

}  // namespace

extern const QuartetKernels ACCORD_OF_ISA(kQuartetKernels);
const QuartetKernels ACCORD_OF_ISA(kQuartetKernels) = {
    multiply_any,  look_up_rows, scaled_product_of, multiply_rows_of,
    scale_rows_of, slopes,       likelihoods_of,    likelihoods_at_node_of};

}  // namespace accord::host
