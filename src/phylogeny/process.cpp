// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <numeric>

#include "accord/base/error.hpp"
#include "phylogeny/model.hpp"

namespace accord {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A and G, or C and T, in the order A C G T.
bool is_transition(std::uint32_t a, std::uint32_t b) { return (a ^ b) == 2; }

/// Symmetric rates of exchange of bases.
Matrix base_exchange(const ModelSpec& spec, std::span<const double> values) {
  Matrix rates = Matrix::Ones(4, 4);
  std::size_t next = 0;
  for (std::uint32_t a = 0; a < 4; ++a) {
    for (std::uint32_t b = a + 1; b < 4; ++b) {
      const char number = spec.exchanges[next++];
      if (number != '.') rates(a, b) = rates(b, a) = values[static_cast<std::size_t>(number - '1')];
    }
  }
  return rates;
}

/// Codons that differ in one base are exchanged: kappa times as fast by a transition, omega times
/// as fast if the amino acid changes.
Matrix codon_exchange(double kappa, double omega, int code) {
  const std::vector<Codon> codons = sense_codons(code);
  const auto count = static_cast<Eigen::Index>(codons.size());
  Matrix rates = Matrix::Zero(count, count);
  for (Eigen::Index a = 0; a < count; ++a) {
    for (Eigen::Index b = 0; b < count; ++b) {
      int differences = 0;
      double rate = codons[a].amino_acid == codons[b].amino_acid ? 1 : omega;
      for (int k = 0; k < 3; ++k) {
        if (codons[a].base[k] == codons[b].base[k]) continue;
        ++differences;
        if (is_transition(codons[a].base[k], codons[b].base[k])) rate *= kappa;
      }
      if (differences == 1) rates(a, b) = rate;
    }
  }
  return rates;
}

Matrix exchange_of(const ModelSpec& spec, std::span<const double> values) {
  switch (spec.states) {
    case StateKind::nucleotide:
      return base_exchange(spec, values);
    case StateKind::codon:
      return codon_exchange(values[0], values[1], spec.code);
    case StateKind::amino_acid:
      break;
  }
  return Eigen::Map<const Matrix>(amino_acid_matrix(spec.name).exchangeabilities.data(), 20, 20);
}

void copy(const Matrix& from, std::vector<double>& to) {
  to.assign(from.data(), from.data() + from.size());
}

/// Diagonalises Q = exchange diag(frequencies), scaled to one substitution per unit of time.
/// sqrt(pi) Q / sqrt(pi) is symmetric, so that eigenvalues are real.
void diagonalise(const Matrix& exchange, SubstitutionProcess& process) {
  const auto states = static_cast<Eigen::Index>(process.states);
  const Eigen::Map<const Eigen::VectorXd> frequencies(process.frequencies.data(), states);
  Matrix rates = exchange * frequencies.asDiagonal();
  rates.diagonal().setZero();
  rates.diagonal() = -rates.rowwise().sum();
  rates /= -(frequencies.array() * rates.diagonal().array()).sum();
  const Eigen::VectorXd root = frequencies.cwiseSqrt();
  Matrix symmetric = root.asDiagonal() * rates * root.cwiseInverse().asDiagonal();
  symmetric = (0.5 * (symmetric + symmetric.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  const Matrix vectors = solver.eigenvectors();
  process.eigenvalues.assign(solver.eigenvalues().data(), solver.eigenvalues().data() + states);
  for (double& value : process.eigenvalues) value = std::min(value, 0.0);
  copy(root.cwiseInverse().asDiagonal() * vectors, process.right);
  copy(vectors.transpose() * root.asDiagonal(), process.left);
}

}  // namespace

std::vector<double> gamma_rates(double shape, std::uint32_t categories) {
  std::vector<double> rates;
  double below = 0;  // the share of the mean that lies below the part
  for (std::uint32_t k = 1; k <= categories; ++k) {
    const double end = k < categories
                           ? boost::math::gamma_p(
                                 shape + 1, boost::math::gamma_p_inv(shape, double(k) / categories))
                           : 1;
    rates.push_back((end - below) * categories);
    below = end;
  }
  return rates;
}

namespace {

/// Sets free weights, whose sum is 1, and rates, whose mean is 1, from the parameters: these are
/// the weights and rates of all categories but the last, relative to the last.
void take_free_rates(std::span<const double> values, SubstitutionProcess& process) {
  const std::size_t others = values.size() / 2;
  process.weights.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(others));
  process.rates.assign(values.begin() + static_cast<std::ptrdiff_t>(others), values.end());
  process.weights.push_back(1);
  process.rates.push_back(1);
  const double sum = std::accumulate(process.weights.begin(), process.weights.end(), 0.0);
  double mean = 0;
  for (std::size_t r = 0; r <= others; ++r) {
    process.weights[r] /= sum;
    mean += process.weights[r] * process.rates[r];
  }
  for (double& rate : process.rates) rate /= mean;
}

}  // namespace

SubstitutionProcess make_process(const ModelSpec& spec, std::span<const double> values,
                                 std::span<const double> frequencies) {
  SubstitutionProcess process;
  process.states = state_count(spec.states, spec.code);
  if (values.size() != spec.parameters.size() || frequencies.size() != process.states) {
    throw Error(ErrorKind::internal, "a substitution model whose parts do not fit");
  }
  process.frequencies.assign(frequencies.begin(), frequencies.end());
  diagonalise(exchange_of(spec, values), process);
  if (spec.has_invariant) {
    process.invariant = values.back();
    values = values.first(values.size() - 1);
  }
  const double changing = 1 - process.invariant;
  if (spec.has_free_rates) {
    take_free_rates(values.last(2 * (spec.categories - std::size_t{1})), process);
    for (double& weight : process.weights) weight *= changing;
  } else {
    process.rates =
        spec.categories > 1 ? gamma_rates(values.back(), spec.categories) : std::vector<double>{1};
    process.weights.assign(spec.categories, changing / spec.categories);
  }
  for (double& rate : process.rates) rate /= changing;
  return process;
}

}  // namespace accord
