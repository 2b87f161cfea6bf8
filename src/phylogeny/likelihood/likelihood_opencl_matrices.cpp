// SPDX-License-Identifier: Apache-2.0
// The data that all patterns of a tree share: matrices of its branches, tables of its tips.
#include <algorithm>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "phylogeny/likelihood/likelihood_opencl.hpp"

namespace accord::ocl {
namespace {

using FillMatrices = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl_uint,
                                       cl_uint, cl_uint, cl::Buffer>;
using FillTables =
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint, cl_uint, cl_uint, cl_uint, cl::Buffer>;

/// Exponentials that a thread of the host takes at once: 20 microseconds' worth.
constexpr std::size_t kExponentials = 8192;

/// A matrix of a branch in columns, as fill_matrices makes it.
void fill_on_host(const SubstitutionProcess& process, std::span<const double> right_columns,
                  std::span<const double> factors, bool is_probability, std::span<float> out) {
  const std::size_t states = process.states, column = out.size() / states;
  std::vector<double> sums(column);
  for (std::size_t j = 0; j < states; ++j) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = 0; k < states; ++k) {
      const double factor = factors[k] * process.left[k * states + j];
      for (std::size_t s = 0; s < states; ++s) sums[s] += right_columns[k * states + s] * factor;
    }
    for (std::size_t s = 0; s < column; ++s) {
      out[j * column + s] = static_cast<float>(is_probability ? std::max(sums[s], 0.0) : sums[s]);
    }
  }
}

cl::EnqueueArgs items_of(const Session& session, std::size_t items) {
  return {session.queue, cl::NDRange((items + kFillGroup - 1) / kFillGroup * kFillGroup),
          cl::NDRange(kFillGroup)};
}

}  // namespace

const cl::Buffer& LikelihoodStage::send_reals(SentBuffer& to, std::span<const double> values,
                                              Precision precision) {
  if (precision == Precision::float64) return to.send(session_, values);
  const std::vector<float> floats(values.begin(), values.end());
  return to.send(session_, std::span<const float>(floats));
}

/// P of all branches and categories, and r Q P if slopes are wanted.
void LikelihoodStage::fill_matrices(const LikelihoodTask& task, Kernels& kernels, Tree& tree) {
  const SubstitutionProcess& process = task.process;
  const std::size_t states = process.states, row = process.rates.size() * states;
  const std::size_t branches = task.tree.nodes() - 1, matrices = branches * process.rates.size();
  const std::size_t column = ACCORD_PEEL_COLUMN_OF(states);
  const std::size_t slopes = task.derivatives ? 1 : 0;
  std::vector<double> right_columns(states * states);
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t k = 0; k < states; ++k) {
      right_columns[k * states + s] = process.right[s * states + k];
    }
  }
  const std::span<double> factors =  // of P, then of its slope
      factors_.room<double>(session_, (1 + slopes) * branches * row);
  parallel_for_parts(branches, 1 + kExponentials / row, [&](std::size_t branch, std::size_t last) {
    std::vector<double> of_branch(2 * row);
    for (; branch < last; ++branch) {
      branch_factors(process, task.lengths[branch], of_branch);
      for (std::size_t slope = 0; slope <= slopes; ++slope) {
        std::copy_n(of_branch.begin() + slope * row, row,
                    factors.begin() + (slope * branches + branch) * row);
      }
    }
  });
  for (std::size_t slope = 0; slope <= slopes; ++slope) {
    const std::size_t first_factor = slope * branches * row;
    if (!session_.info.has_double) {
      const std::span<float> out =
          host_matrices_[slope].room<float>(session_, matrices * states * column);
      parallel_for(matrices, [&](std::size_t matrix, int) {
        fill_on_host(process, right_columns,
                     factors.subspan(first_factor + matrix * states, states), slope == 0,
                     out.subspan(matrix * states * column, states * column));
      });
      tree.matrices[slope] = &host_matrices_[slope].send(session_);
      continue;
    }
    tree.matrices[slope] =
        &matrices_[slope].reserve(session_, matrices * states * column * bytes_of(task.precision));
  }
  if (!session_.info.has_double) return;
  const cl::Buffer& right = right_.send(session_, std::span<const double>(right_columns));
  const cl::Buffer& left = left_.send(session_, std::span<const double>(process.left));
  const cl::Buffer& factor = factors_.send(session_);
  const std::size_t blocks = (states + ACCORD_FILL_COLUMNS - 1) / ACCORD_FILL_COLUMNS;
  for (std::size_t slope = 0; slope <= slopes; ++slope) {
    FillMatrices{kernels.fill_matrices}(items_of(session_, matrices * blocks * column), right, left,
                                        factor, static_cast<cl_uint>(slope * branches * row),
                                        static_cast<cl_uint>(matrices), tree.states,
                                        static_cast<cl_uint>(1 - slope), *tree.matrices[slope]);
  }
}

LikelihoodStage::Tree LikelihoodStage::upload_tree(const LikelihoodTask& task, Kernels& kernels) {
  const SubstitutionProcess& process = task.process;
  const std::size_t states = process.states, categories = process.rates.size();
  const std::size_t branches = task.tree.nodes() - 1, matrices = branches * categories;
  const std::size_t cells = states * ACCORD_PEEL_COLUMN_OF(states);  // of a matrix
  const std::size_t codes = task.patterns.symbols.size();
  const std::size_t table_cells =
      task.tree.leaves * categories * codes * ACCORD_PEEL_COLUMN_OF(states);
  if (std::max(matrices * cells, table_cells) > UINT32_MAX) {
    throw Error(ErrorKind::out_of_memory, "the matrices of a tree of " +
                                              counted(task.tree.leaves, "sequence") +
                                              " are too many for a device");
  }
  Tree tree;
  tree.states = process.states;
  tree.sizes = {task.tree.leaves, static_cast<cl_uint>(task.tree.left.size()),
                static_cast<cl_uint>(categories), static_cast<cl_uint>(codes), 0};
  tree.least = joins_of_part(task);
  tree.upward = plan_climb(task.tree, tree.least);
  tree.steps = &steps_.send(session_, std::span<const accord_peel_node>(tree.upward.steps));
  tree.part_begin =
      &part_begin_.send(session_, std::span<const std::uint32_t>(tree.upward.part_begin));
  if (task.derivatives) {
    tree.downward = plan_downward(task.tree);
    tree.downward_nodes =
        &downward_nodes_.send(session_, std::span<const accord_peel_node>(tree.downward.nodes));
  }
  tree.frequencies = &send_reals(frequencies_, process.frequencies, task.precision);
  const cl::Buffer& symbols =
      symbols_.send(session_, std::span<const std::uint64_t>(task.patterns.symbols));
  fill_matrices(task, kernels, tree);
  for (std::size_t slope = 0; slope < (task.derivatives ? 2 : 1); ++slope) {
    const cl::Buffer& table =
        tables_[slope].reserve(session_, table_cells * bytes_of(task.precision));
    FillTables{kernels.fill_tables}(items_of(session_, table_cells), *tree.matrices[slope], symbols,
                                    static_cast<cl_uint>(codes),
                                    static_cast<cl_uint>(task.tree.leaves * categories),
                                    tree.states, static_cast<cl_uint>(1 - slope), table);
    tree.tables[slope] = &table;
  }
  session_.queue.flush();
  return tree;
}

}  // namespace accord::ocl
