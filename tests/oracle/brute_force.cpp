// SPDX-License-Identifier: Apache-2.0
#include "oracle/brute_force.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace accord::oracle {
namespace {

/// One column of an alignment: a match, or a residue of x or y against a gap.
enum class Step { match, x, y };
using Path = std::vector<Step>;

/// Calls visit(path) for every sequence of steps that uses m residues of x and n of y and in
/// which no step x touches a step y.
void for_each_alignment(std::size_t m, std::size_t n, const std::function<void(const Path&)>& visit,
                        Path& path) {
  if (m == 0 && n == 0) {
    visit(path);
    return;
  }
  for (Step step : {Step::match, Step::x, Step::y}) {
    const std::size_t dx = step != Step::y, dy = step != Step::x;
    if (dx > m || dy > n) continue;
    const bool touches =
        !path.empty() && step != Step::match && path.back() != Step::match && path.back() != step;
    if (touches) continue;
    path.push_back(step);
    for_each_alignment(m - dx, n - dy, visit, path);
    path.pop_back();
  }
}

void for_each_alignment(std::size_t m, std::size_t n,
                        const std::function<void(const Path&)>& visit) {
  Path path;
  for_each_alignment(m, n, visit, path);
}

/// Sums of the weights of all alignments, and of those that match i and j.
class Ensemble {
 public:
  Ensemble(std::size_t m, std::size_t n) : n_(n), of_match_((m + 1) * (n + 1), 0), m_(m) {}

  void add(const Path& path, long double weight) {
    total_ += weight;
    std::size_t i = 0, j = 0;
    for (Step step : path) {
      i += step != Step::y;
      j += step != Step::x;
      if (step == Step::match) of_match_[i * (n_ + 1) + j] += weight;
    }
  }

  Dense posteriors() const {
    Dense posterior(m_, n_);
    for (std::size_t i = 1; i <= m_; ++i) {
      for (std::size_t j = 1; j <= n_; ++j)
        posterior.at(i, j) = static_cast<double>(of_match_[i * (n_ + 1) + j] / total_);
    }
    return posterior;
  }

 private:
  std::size_t n_;
  std::vector<long double> of_match_;
  long double total_ = 0;
  std::size_t m_;
};

/// Lengths of the runs of gap steps of a path, and whether each is at an end of the alignment.
struct GapRun {
  std::size_t first, length;
};
std::vector<GapRun> gap_runs(const Path& path) {
  std::vector<GapRun> runs;
  for (std::size_t c = 0; c < path.size(); ++c) {
    if (path[c] == Step::match) continue;
    if (c > 0 && path[c - 1] != Step::match) {
      ++runs.back().length;
    } else {
      runs.push_back({c, 1});
    }
  }
  return runs;
}

/// Logarithm of the product of the factors of opening gaps of a path; those at the ends have none.
double log_openings_of(const Codes& x, const Codes& y, const Path& path,
                       const GapOpeningParams& openings, ResidueType type) {
  const std::vector<double> of_x = log_openings(x, openings, type);
  const std::vector<double> of_y = log_openings(y, openings, type);
  double log_product = 0;
  std::size_t i = 0, j = 0;
  for (std::size_t c = 0; c < path.size(); ++c) {
    if (c > 0 && path[c - 1] == Step::match) {
      if (path[c] == Step::x) log_product += of_y[j];
      if (path[c] == Step::y) log_product += of_x[i];
    }
    i += path[c] != Step::y;
    j += path[c] != Step::x;
  }
  return log_product;
}

/// Product of the emissions of a path of the pair-HMM.
long double emission_weight(const Codes& x, const Codes& y, const Path& path,
                            const LogMatches& pair,
                            const std::array<double, ACCORD_SYMBOLS>& single) {
  long double log_weight = 0;
  std::size_t i = 0, j = 0;
  for (Step step : path) {
    if (step == Step::match) log_weight += pair(x[i++], y[j++]);
    if (step == Step::x) log_weight += single[x[i++] & 31];
    if (step == Step::y) log_weight += single[y[j++] & 31];
  }
  return std::exp(log_weight);
}

/// Product of start, transitions and end of a path whose k-th gap run is of class k of `classes`.
long double transition_weight(const Path& path, const std::vector<GapRun>& runs,
                              const std::vector<std::size_t>& classes, const PairHmm& hmm) {
  struct State {
    long double start, from_match, to_match, stay, end;
  };
  long double match_match = 1;
  std::vector<State> insert;
  for (const GapClass& gap : hmm.gaps) {
    match_match -= 2 * gap.open;
    insert.push_back({gap.start, gap.open, 1 - gap.stay, gap.stay, gap.end});
  }
  const State match = {hmm.start_match, match_match, match_match, 0, hmm.end_match};
  std::vector<const State*> states(path.size(), &match);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (std::size_t c = 0; c < runs[k].length; ++c)
      states[runs[k].first + c] = &insert[classes[k]];
  }
  long double weight = states.front()->start * states.back()->end;
  for (std::size_t c = 1; c < path.size(); ++c) {
    if (path[c] == path[c - 1] && path[c] != Step::match) {
      weight *= states[c]->stay;
    } else {
      weight *= path[c] == Step::match ? states[c - 1]->to_match : states[c]->from_match;
    }
  }
  return weight;
}

/// The next assignment of classes to runs, as a counter goes on; false after the last.
bool next_assignment(std::vector<std::size_t>& classes, std::size_t count) {
  for (std::size_t& digit : classes) {
    if (++digit < count) return true;
    digit = 0;
  }
  return false;
}

}  // namespace

Dense hmm_posteriors_by_enumeration(const Codes& x, const Codes& y, const PairHmm& hmm,
                                    ResidueType type, const GapOpeningParams& openings) {
  const LogMatches pair = log_matches(hmm, type);
  const LogEmissions emissions = log_emissions(hmm.emissions, type);
  Ensemble ensemble(x.size(), y.size());
  for_each_alignment(x.size(), y.size(), [&](const Path& path) {
    const std::vector<GapRun> runs = gap_runs(path);
    const long double emission =
        emission_weight(x, y, path, pair, emissions.single) *
        std::exp(static_cast<long double>(log_openings_of(x, y, path, openings, type)));
    std::vector<std::size_t> classes(runs.size(), 0);
    do {
      ensemble.add(path, emission * transition_weight(path, runs, classes, hmm));
    } while (next_assignment(classes, hmm.gaps.size()));
  });
  return ensemble.posteriors();
}

Dense partition_posteriors_by_enumeration(const Codes& x, const Codes& y,
                                          const PartitionFunction& partition, ResidueType type,
                                          const GapOpeningParams& openings) {
  const LogMatches weights = log_matches(partition, type);
  Ensemble ensemble(x.size(), y.size());
  for_each_alignment(x.size(), y.size(), [&](const Path& path) {
    if (std::find(path.begin(), path.end(), Step::match) == path.end()) return;
    long double log_weight = log_openings_of(x, y, path, openings, type);
    std::size_t i = 0, j = 0;
    for (Step step : path) {
      if (step == Step::match) log_weight += weights(x[i], y[j]);
      i += step != Step::y;
      j += step != Step::x;
    }
    for (const GapRun& run : gap_runs(path)) {
      const bool at_end = run.first == 0 || run.first + run.length == path.size();
      const auto extensions = static_cast<long double>(run.length - 1);
      if (!at_end) {
        log_weight +=
            (partition.gap_open + extensions * partition.gap_extend) / partition.temperature;
      }
    }
    ensemble.add(path, std::exp(log_weight));
  });
  return ensemble.posteriors();
}

double expected_accuracy_by_enumeration(const Dense& posterior) {
  double best = 0;
  // A gap in x next to a gap in y may be taken for a match, which never lowers the sum.
  for_each_alignment(posterior.m(), posterior.n(), [&](const Path& path) {
    double sum = 0;
    std::size_t i = 0, j = 0;
    for (Step step : path) {
      i += step != Step::y;
      j += step != Step::x;
      if (step == Step::match) sum += posterior.at(i, j);
    }
    best = std::max(best, sum);
  });
  return best;
}

}  // namespace accord::oracle
