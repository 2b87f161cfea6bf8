// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood/likelihood_opencl.hpp"

#include <algorithm>
#include <atomic>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_peel_sizes) == 20 && sizeof(accord_peel_node) == 20,
              "the kernels read this layout");

/// Multiplications of one launch, below 50 ms where there is double precision at all.
constexpr double kMostLaunchWork = 1e10;

/// Share of the budget for values; the rest is for matrices.
constexpr std::uint64_t kValuePercent = 60;

/// Patterns whose categories a thread of the host puts together at once, and codes that it copies:
/// 20 microseconds' worth, in which a thread wakes up.
constexpr std::size_t kCombined = 1024, kCopied = std::size_t{1} << 18;

using Climb =
    cl::KernelFunctor<accord_peel_sizes, cl::Buffer, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer,
                      cl::Buffer, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer, cl::Buffer>;
using MultiplyLevel =
    cl::KernelFunctor<accord_peel_sizes, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer, cl::Buffer>;
using OtherLevel = cl::KernelFunctor<accord_peel_sizes, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer,
                                     cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>;
using SlopeLevel = cl::KernelFunctor<accord_peel_sizes, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer,
                                     cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer,
                                     cl::Buffer, cl::Buffer, cl::Buffer>;

/// Groups that a compute unit gets at least, if the tree has parts for them: a few at a time, and
/// several one after the other, so that no unit is idle for long at the end.
constexpr std::size_t kGroupsOfUnit = 24;

/// Joins of a part of the tree at least: a launch takes as long as a few of them.
constexpr std::uint32_t kLeastJoins = 2;

/// Multiplications.
double work_of_join(const SubstitutionProcess& process, std::size_t patterns) {
  return double(patterns) * double(process.rates.size()) * process.states * process.states;
}

}  // namespace

std::size_t LikelihoodStage::patterns_at_once(const LikelihoodTask& task) const {
  const std::size_t group = group_of(task), nodes = task.tree.nodes();
  const std::size_t row =
      task.process.rates.size() * task.process.states * bytes_of(task.precision);
  const std::size_t joins = task.tree.left.size();
  // The largest buffer is that of messages below the nodes, or above them.
  const std::size_t largest = (task.derivatives ? nodes : joins) * row;
  const std::size_t all = (joins + (task.derivatives ? joins + nodes : 0)) * row +
                          nodes * (3 * sizeof(double) * task.process.rates.size() + 1);
  const std::uint64_t most = std::min(session_.info.largest_buffer / largest,
                                      session_.info.budget() / 100 * kValuePercent / all);
  const std::size_t wanted = (task.patterns.stride() + group - 1) / group * group;
  const std::size_t fitting = static_cast<std::size_t>(most) / group * group;
  if (fitting == 0) {
    throw Error(ErrorKind::out_of_memory,
                "the likelihood of " + counted(task.tree.leaves, "sequence") +
                    " does not fit into the device memory",
                "{device=none} computes it in the memory of the host");
  }
  return std::min(wanted, fitting);
}

/// So few that there are groups for all compute units, and that no launch is too long.
std::uint32_t LikelihoodStage::joins_of_part(const LikelihoodTask& task) const {
  const std::size_t joins = task.tree.left.size(), patterns = patterns_at_once(task);
  const std::size_t groups = patterns / group_of(task) * task.process.rates.size();
  const std::size_t wanted = std::max(1u, session_.info.compute_units) * kGroupsOfUnit / groups;
  const double longest = kMostLaunchWork / (2 * work_of_join(task.process, patterns));
  const std::size_t fitting = static_cast<std::size_t>(std::min(longest, 1e6));
  return std::max(kLeastJoins, static_cast<std::uint32_t>(
                                   std::min(fitting, joins / std::max<std::size_t>(1, wanted))));
}

/// The patterns of a task from `first` on, as the device gets them.
class LikelihoodStage::Range {
 public:
  Range(LikelihoodStage& stage, Kernels& kernels, const Tree& tree, const LikelihoodTask& task,
        std::size_t first, std::size_t count)
      : stage_(stage),
        kernels_(kernels),
        tree_(tree),
        task_(task),
        first_(first),
        group_(stage.group_of(task)),
        sizes_(tree.sizes),
        real_(bytes_of(task.precision)) {
    const Session& session = stage.session_;
    sizes_.patterns = static_cast<cl_uint>((count + group_ - 1) / group_ * group_);
    const std::size_t joins = sizes_.joins, nodes = task.tree.nodes(), patterns = sizes_.patterns;
    const std::size_t values = sizes_.categories * patterns, row = values * tree.states;
    products_ = &stage.products_.reserve(session, task.derivatives ? joins * row * real_ : real_);
    messages_ = &stage.messages_.reserve(session, joins * row * real_);
    exponents_ = &stage.exponents_.reserve(session, values * (joins * sizeof(cl_int) + real_));
    if (task.derivatives) {
      others_ = &stage.others_.reserve(session, nodes * row * real_);
      other_exponents_ = &stage.other_exponents_.reserve(session, nodes * values * sizeof(cl_int));
      slopes_ = &stage.slopes_.reserve(
          session, nodes * sizes_.categories * (patterns / ACCORD_PATTERN_BLOCK) * real_);
    }
    send_codes(count);
  }

  template <class Real>
  void compute(Likelihood& result) {
    climb();
    combine<Real>(result.sites);
    if (!task_.derivatives) return;
    descend();
    add_slopes<Real>(result.slope);
  }

 private:
  /// Codes of the tips, unless the device has them: a fit evaluates the same patterns many times.
  void send_codes(std::size_t count) {
    SentBuffer& sent = stage_.codes_;
    const std::size_t patterns = sizes_.patterns, stride = task_.patterns.stride();
    std::atomic<bool> is_same = sent.has_sent(sizes_.tips * patterns);
    const std::span codes = sent.room<std::uint8_t>(stage_.session_, sizes_.tips * patterns);
    const auto send_tip = [&](std::size_t tip) {
      const std::span to = codes.subspan(tip * patterns, patterns);
      const std::span from = std::span(task_.patterns.codes)
                                 .subspan(tip * stride + first_, std::min(count, stride - first_));
      const auto rest = to.begin() + static_cast<std::ptrdiff_t>(from.size());
      const auto is_filler = [](std::uint8_t code) { return code == 0; };
      if (is_same && std::equal(from.begin(), from.end(), to.begin()) &&
          std::all_of(rest, to.end(), is_filler)) {
        return;
      }
      is_same = false;
      std::copy(from.begin(), from.end(), to.begin());
      std::fill(rest, to.end(), 0);
    };
    parallel_for_parts(sizes_.tips, 1 + kCopied / patterns, [&](std::size_t tip, std::size_t last) {
      for (; tip < last; ++tip) send_tip(tip);
    });
    codes_ = is_same ? &sent.keep() : &sent.send(stage_.session_);
  }

  /// Calls launch(size, first) for parts of the range from `begin` to `end`, so that no launch
  /// takes longer than it may. Each item of the range has `joins` joins and `of_each` work-items
  /// (two dimensions).
  template <class Launch>
  void for_some(std::uint32_t begin, std::uint32_t end, double joins, const cl::NDRange& of_each,
                const cl::NDRange& group, const Launch& launch) {
    const double work = joins * work_of_join(task_.process, sizes_.patterns);
    const auto most = static_cast<std::uint32_t>(std::clamp(kMostLaunchWork / work, 1.0, 1e4));
    for (std::uint32_t first = begin; first < end; first += most) {
      const cl::NDRange items(of_each.get()[0], of_each.get()[1], std::min(most, end - first));
      launch(cl::EnqueueArgs(stage_.session_.queue, items, group), first);
    }
  }

  void climb() {
    Climb climb{kernels_.climb};
    const ClimbPlan& plan = tree_.upward;
    const std::uint32_t patterns =
        layout_of(stage_.session_.info, tree_.states, task_.precision).patterns_of_item;
    const cl::NDRange group(group_ / patterns, parts(), 1);
    const cl::NDRange items(sizes_.patterns / patterns, sizes_.categories * parts());
    for (std::size_t level = 0; level + 1 < plan.level_begin.size(); ++level) {
      for_some(plan.level_begin[level], plan.level_begin[level + 1], 2 * tree_.least, items, group,
               [&](const cl::EnqueueArgs& size, std::uint32_t first) {
                 climb(size, sizes_, *tree_.steps, *tree_.part_begin, first, *codes_,
                       *tree_.tables[0], *tree_.matrices[0], *tree_.frequencies,
                       task_.derivatives ? 1 : 0, *messages_, *products_, *exponents_);
               });
    }
    stage_.session_.queue.flush();
  }

  /// The logarithms of all patterns, and what their slopes are multiplied with.
  template <class Real>
  void combine(std::vector<double>& sites) {
    const std::size_t values = sizes_.categories * sizes_.patterns;
    const Session& session = stage_.session_;
    const std::size_t bytes = values * (sizeof(cl_int) + sizeof(Real));
    const auto exponents = static_cast<std::int32_t*>(stage_.found_.reserve(session, bytes));
    const auto root = reinterpret_cast<Real*>(exponents + values);
    cl::Event is_read;
    session.queue.enqueueReadBuffer(*exponents_, CL_FALSE,
                                    (sizes_.joins - 1) * values * sizeof(cl_int), bytes, exponents,
                                    nullptr, &is_read);
    wait_for(is_read);
    std::span<Real> share;
    if (task_.derivatives) {
      share = stage_.share_.room<Real>(session, values);
      std::fill(share.begin(), share.end(), Real{0});
    }
    const std::span<double> of_part = std::span(sites).subspan(
        first_, std::min<std::size_t>(sizes_.patterns, sites.size() - first_));
    parallel_for_parts(of_part.size(), kCombined, [&](std::size_t begin, std::size_t end) {
      combine_some<Real>(of_part.subspan(begin, end - begin), begin, root, exponents, share);
    });
    if (task_.derivatives) share_ = &stage_.share_.send(session);
  }

  /// Sets the sites and shares of the patterns from `begin` on.
  template <class Real>
  void combine_some(std::span<double> sites, std::size_t begin, const Real* root,
                    const std::int32_t* exponents, std::span<Real> share) {
    const std::size_t categories = sizes_.categories, patterns = sizes_.patterns;
    std::vector<double> value(categories), of_pattern(categories);
    std::vector<std::int32_t> exponent(categories), scale(sites.size());
    for (std::size_t k = 0; k < sites.size(); ++k) {
      const std::size_t c = begin + k;
      for (std::size_t r = 0; r < categories; ++r) {
        value[r] = root[r * patterns + c];
        exponent[r] = exponents[r * patterns + c];
      }
      const ScaledValue found =
          combine_categories(task_, first_ + c, {value, exponent}, of_pattern);
      sites[k] = found.value;
      scale[k] = found.exponent;
      for (std::size_t r = 0; !share.empty() && r < categories; ++r) {
        share[r * patterns + c] = static_cast<Real>(of_pattern[r]);
      }
    }
    take_logs(sites, scale);
  }

  void descend() {
    OtherLevel other{kernels_.other_level};
    SlopeLevel slope{kernels_.slope_level};
    MultiplyLevel multiply{kernels_.multiply_level};
    const PeelPlan& plan = tree_.downward;
    const cl::NDRange group(group_, 1, 1), items(sizes_.patterns, sizes_.categories);
    const cl::NDRange parts_items(sizes_.patterns, sizes_.categories * parts());
    for (std::size_t level = 0; level + 1 < plan.begin.size(); ++level) {
      const std::uint32_t begin = plan.begin[level], end = plan.begin[level + 1];
      for_some(begin, end, 1, items, group, [&](const cl::EnqueueArgs& size, std::uint32_t first) {
        other(size, sizes_, *tree_.downward_nodes, first, *codes_, *tree_.tables[0], *messages_,
              *exponents_, *others_, *other_exponents_);
      });
      for_some(begin, end, 1, items, group, [&](const cl::EnqueueArgs& size, std::uint32_t first) {
        slope(size, sizes_, *tree_.downward_nodes, first, *codes_, *tree_.matrices[1],
              *tree_.tables[1], *products_, *exponents_, *others_, *other_exponents_,
              *tree_.frequencies, *share_, *slopes_);
      });
      for_some(begin, end, 1, parts_items, group,
               [&](const cl::EnqueueArgs& size, std::uint32_t first) {
                 multiply(size, sizes_, *tree_.downward_nodes, first, *tree_.matrices[0], *others_,
                          *messages_);
               });
      stage_.session_.queue.flush();
    }
  }

  /// Adds the blocks in their order, each the sum of its categories, as the host does.
  template <class Real>
  void add_slopes(std::vector<double>& slope) {
    const std::size_t blocks = sizes_.patterns / ACCORD_PATTERN_BLOCK;
    const std::size_t used =
        std::min(blocks, (task_.patterns.stride() - first_) / ACCORD_PATTERN_BLOCK);
    const std::size_t bytes = (task_.tree.nodes() - 1) * sizes_.categories * blocks * sizeof(Real);
    const Session& session = stage_.session_;
    const auto found = static_cast<Real*>(stage_.found_.reserve(session, bytes));
    cl::Event is_read;
    session.queue.enqueueReadBuffer(*slopes_, CL_FALSE, 0, bytes, found, nullptr, &is_read);
    wait_for(is_read);
    for (std::size_t node = 0; node + 1 < task_.tree.nodes(); ++node) {
      for (std::size_t b = 0; b < used; ++b) {
        Real sum = 0;
        for (std::size_t r = 0; r < sizes_.categories; ++r) {
          sum += found[(node * sizes_.categories + r) * blocks + b];
        }
        slope[node] += sum;
      }
    }
  }

  std::uint32_t parts() const { return ACCORD_PEEL_PARTS_OF(tree_.states); }

  LikelihoodStage& stage_;
  Kernels& kernels_;
  const Tree& tree_;
  const LikelihoodTask& task_;
  std::size_t first_;
  std::uint32_t group_;
  accord_peel_sizes sizes_;
  std::size_t real_;  ///< bytes of a value
  const cl::Buffer *codes_, *products_, *messages_, *exponents_;
  const cl::Buffer *others_ = nullptr, *other_exponents_ = nullptr, *share_ = nullptr,
                   *slopes_ = nullptr;
};

void LikelihoodStage::run_task(const LikelihoodTask& task, Likelihood& result) {
  const bool is_single = task.precision == Precision::float32;
  if (!is_single && !session_.info.has_double) {
    throw Error(ErrorKind::usage, format_device(session_.info) + " has no double precision",
                "use {precision=single}, or compute likelihoods with {device=none}");
  }
  Kernels& kernels = kernels_for(task.process.states, task.precision);
  const Tree tree = upload_tree(task, kernels);
  result.sites.resize(task.patterns.count());
  result.slope.assign(task.derivatives ? task.tree.nodes() : 0, 0.0);
  const std::size_t step = patterns_at_once(task);
  for (std::size_t first = 0; first < task.patterns.stride(); first += step) {
    Range range(*this, kernels, tree, task, first, std::min(step, task.patterns.stride() - first));
    is_single ? range.compute<float>(result) : range.compute<double>(result);
  }
  result.total = weighted_sum(task.patterns.weights, result.sites);
}

void LikelihoodStage::run(const StageCall& of_stage) {
  const auto& call = of_stage.get<LikelihoodCall>();
  for (const LikelihoodTask& task : call.tasks) check(task);
  for (std::size_t k = 0; k < call.tasks.size(); ++k) run_task(call.tasks[k], call.results[k]);
}

}  // namespace accord::ocl
