// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/residue_contexts.hpp"
#include "support/residue_tables.hpp"

namespace accord::oracle {
namespace {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b))
double log_add(double a, double b) {
  const double larger = std::max(a, b), smaller = std::min(a, b);
  if (larger - smaller > 45 || smaller == kLogZero) return larger;  // below half an ulp of the sum
  return larger + std::log1p(std::exp(smaller - larger));
}

template <class... Rest>
double log_add(double a, double b, Rest... rest) {
  return log_add(log_add(a, b), rest...);
}

/// log sum over residues a', b' that the codes stand for of q(a') q(b') v(a', b') / sum q q.
template <class Value>
double log_average(ResidueType type, std::uint8_t a, std::uint8_t b, Value&& value) {
  const auto as = residues_of_code(type, a), bs = residues_of_code(type, b);
  if (as.size() == residue_count(type) || bs.size() == residue_count(type)) return 0;
  long double sum = 0, total = 0;
  for (std::size_t r : as) {
    for (std::size_t s : bs) {
      const long double q = static_cast<long double>(testing::single_emission(type, r)) *
                            testing::single_emission(type, s);
      sum += q * value(r, s);
      total += q;
    }
  }
  return static_cast<double>(std::log(sum / total));
}

/// The most kinds of insert states; those that a model lacks cannot be entered.
constexpr int kKinds = ACCORD_GAP_CLASSES;

/// Logarithms of the transitions, named as in the recursions; index k is the kind of insert.
struct LogHmm {
  double start_match, start[kKinds];          // pi_M, pi_k
  double end_match, end[kKinds];              // weights of ending in a state
  double match_match, match_insert[kKinds];   // t_MM, t_Mk
  double stay[kKinds], insert_match[kKinds];  // t_kk, t_kM

  explicit LogHmm(const PairHmm& hmm)
      : start_match(std::log(hmm.start_match)), end_match(std::log(hmm.end_match)) {
    double opens = 0;
    for (int k = 0; k < kKinds; ++k) {
      const bool exists = static_cast<std::size_t>(k) < hmm.gaps.size();
      const GapClass gap = exists ? hmm.gaps[static_cast<std::size_t>(k)] : GapClass{0, 0, 0, 0};
      opens += gap.open;
      start[k] = std::log(gap.start);
      end[k] = std::log(gap.end);
      match_insert[k] = std::log(gap.open);
      stay[k] = std::log(gap.stay);
      insert_match[k] = std::log(1 - gap.stay);
    }
    match_match = std::log(1 - 2 * opens);
  }
};

/// log q of the letter of a code.
struct LogSingles {
  std::array<double, ACCORD_SYMBOLS> of_letter;
  double operator()(std::uint8_t code) const { return of_letter[code & 31]; }
};

/// The letters' table with the factors of contexts; `log_largest` is the logarithm of w.
LogMatches with_contexts(const LogTable& letters, double share, ResidueType type,
                         double log_largest) {
  LogMatches matches{letters, {}};
  if (type != ResidueType::protein) return matches;
  const double cap = std::max(0.0, std::log(60.0) - log_largest);
  for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
    for (std::size_t d = 0; d < ACCORD_CONTEXTS; ++d) {
      matches.contexts[c][d] = std::min(cap, share * protein_contexts().log_odds(c, d));
    }
  }
  return matches;
}

/// Two sequences, and the logarithms of the factors of opening a gap in the other one behind their
/// residues: o_y(j) is that of a gap in y, where residues of x stand alone.
struct Pair {
  Codes x, y;
  std::vector<double> opening_x, opening_y;

  Pair(const Codes& a, const Codes& b, const GapOpeningParams& openings, ResidueType type)
      : x(a),
        y(b),
        opening_x(log_openings(a, openings, type)),
        opening_y(log_openings(b, openings, type)) {}

  /// Both sequences read backwards.
  Pair reversed() const {
    Pair other = *this;
    for (Codes* codes : {&other.x, &other.y}) std::ranges::reverse(*codes);
    for (std::vector<double>* opening : {&other.opening_x, &other.opening_y}) {
      std::ranges::reverse(*opening);
    }
    return other;
  }
};

/// Forward or backward values of the states at one cell.
struct States {
  double match = kLogZero;
  double x[kKinds] = {kLogZero, kLogZero, kLogZero};
  double y[kKinds] = {kLogZero, kLogZero, kLogZero};
};
using StateRow = std::vector<States>;

/// F_M(i, j) of all cells, and the total: log sum_k F_k(m, n) pi_k.
///
///   F_M(1,1) = pi_M p(x1,y1)    F_Xk(1,0) = pi_k q(x1)    F_Yk(0,1) = pi_k q(y1)    otherwise
///   F_M(i,j)  = p(xi,yj) [t_MM F_M(i-1,j-1) + sum_k t_kM (F_Xk(i-1,j-1) + F_Yk(i-1,j-1))]
///   F_Xk(i,j) = q(xi) [t_Mk o_y(j) F_M(i-1,j) + t_kk F_Xk(i-1,j)]
///   F_Yk(i,j) = q(yj) [t_Mk o_x(i) F_M(i,j-1) + t_kk F_Yk(i,j-1)]
Dense hmm_forward(const Pair& of, const LogHmm& t, const LogMatches& pair, const LogSingles& single,
                  double& log_total) {
  const auto& [x, y, opening_x, opening_y] = of;
  const std::size_t m = x.size(), n = y.size();
  Dense match(m, n, kLogZero);
  StateRow above(n + 1), row(n + 1);
  for (std::size_t i = 0; i <= m; ++i) {
    for (std::size_t j = 0; j <= n; ++j) {
      States& f = row[j] = States();
      if (i > 0 && j > 0) {
        const States& d = above[j - 1];
        double sum = t.start_match;
        if (i > 1 || j > 1) {
          sum = t.match_match + d.match;
          for (int k = 0; k < kKinds; ++k) {
            sum = log_add(sum, t.insert_match[k] + d.x[k], t.insert_match[k] + d.y[k]);
          }
        }
        f.match = pair(x[i - 1], y[j - 1]) + sum;
      }
      for (int k = 0; k < kKinds; ++k) {
        if (i == 1 && j == 0) {
          f.x[k] = single(x[0]) + t.start[k];
        } else if (i > 0) {
          f.x[k] = single(x[i - 1]) + log_add(t.match_insert[k] + opening_y[j] + above[j].match,
                                              t.stay[k] + above[j].x[k]);
        }
        if (i == 0 && j == 1) {
          f.y[k] = single(y[0]) + t.start[k];
        } else if (j > 0) {
          f.y[k] = single(y[j - 1]) + log_add(t.match_insert[k] + opening_x[i] + row[j - 1].match,
                                              t.stay[k] + row[j - 1].y[k]);
        }
      }
      match.at(i, j) = f.match;
    }
    std::swap(above, row);
  }
  const States& last = above[n];
  log_total = last.match + t.end_match;
  for (int k = 0; k < kKinds; ++k) {
    log_total = log_add(log_total, last.x[k] + t.end[k], last.y[k] + t.end[k]);
  }
  return match;
}

/// B_M(i, j) of all cells. All states end at (m, n) with their end weights; before that
///
///   D = p(x_i+1, y_j+1) B_M(i+1,j+1)   U_k = q(x_i+1) B_Xk(i+1,j)   V_k = q(y_j+1) B_Yk(i,j+1)
///   B_M(i,j)  = t_MM D + sum_k t_Mk (o_y(j) U_k + o_x(i) V_k)
///   B_Xk(i,j) = t_kM D + t_kk U_k      B_Yk(i,j) = t_kM D + t_kk V_k
Dense hmm_backward(const Pair& of, const LogHmm& t, const LogMatches& pair,
                   const LogSingles& single) {
  const auto& [x, y, opening_x, opening_y] = of;
  const std::size_t m = x.size(), n = y.size();
  Dense match(m, n, kLogZero);
  StateRow below(n + 1), row(n + 1);
  for (std::size_t i = m + 1; i-- > 0;) {
    for (std::size_t j = n + 1; j-- > 0;) {
      States& b = row[j] = States();
      if (i == m && j == n) {
        b.match = t.end_match;
        for (int k = 0; k < kKinds; ++k) b.x[k] = b.y[k] = t.end[k];
      } else {
        const double d = i < m && j < n ? pair(x[i], y[j]) + below[j + 1].match : kLogZero;
        b.match = t.match_match + d;
        for (int k = 0; k < kKinds; ++k) {
          const double u = i < m ? single(x[i]) + below[j].x[k] : kLogZero;
          const double v = j < n ? single(y[j]) + row[j + 1].y[k] : kLogZero;
          b.match = log_add(b.match, t.match_insert[k] + opening_y[j] + u,
                            t.match_insert[k] + opening_x[i] + v);
          b.x[k] = log_add(t.insert_match[k] + d, t.stay[k] + u);
          b.y[k] = log_add(t.insert_match[k] + d, t.stay[k] + v);
        }
      }
      match.at(i, j) = b.match;
    }
    std::swap(below, row);
  }
  return match;
}

/// Partition function of all pairs of prefixes x_1..x_i, y_1..y_j: `match` of the alignments that
/// end in a match (Zm), and `total` of all (Zm + Ze + Zf).
struct PrefixFunction {
  Dense match, total;
};

///   Zm(0,0) = 1, Ze(0,j) = Zf(i,0) = 1 for i, j >= 1: leading gaps are free; else 0 on the border
///   Zm(i,j) = w(xi,yj) [Zm(i-1,j-1) + Ze(i-1,j-1) + Zf(i-1,j-1)]
///   Ze(i,j) = Zm(i,j-1) d o_x(i) + Ze(i,j-1) e      Zf(i,j) = Zm(i-1,j) d o_y(j) + Zf(i-1,j) e
/// with d = exp(g_o / T), e = exp(g_e / T), and in Ze both 1 if i = m, in Zf both 1 if j = n:
/// trailing gaps are free.
PrefixFunction partition_forward(const Pair& of, const PartitionFunction& partition,
                                 const LogMatches& weight) {
  const auto& [x, y, opening_x, opening_y] = of;
  const std::size_t m = x.size(), n = y.size();
  const double open = partition.gap_open / partition.temperature;
  const double extend = partition.gap_extend / partition.temperature;
  PrefixFunction z{Dense(m, n, kLogZero), Dense(m, n, 0)};
  z.match.at(0, 0) = 0;
  std::vector<double> zf(n + 1, kLogZero);  // of the current row
  for (std::size_t i = 1; i <= m; ++i) {
    zf[0] = 0;
    double ze = kLogZero;
    const double d_e = i == m ? 0 : open + opening_x[i], e_e = i == m ? 0 : extend;
    for (std::size_t j = 1; j <= n; ++j) {
      const double d_f = j == n ? 0 : open + opening_y[j], e_f = j == n ? 0 : extend;
      const double before = z.match.at(i, j - 1);
      const double above = z.match.at(i - 1, j);
      z.match.at(i, j) = weight(x[i - 1], y[j - 1]) + z.total.at(i - 1, j - 1);
      ze = log_add(before + d_e, ze + e_e);
      zf[j] = log_add(above + d_f, zf[j] + e_f);
      z.total.at(i, j) = log_add(z.match.at(i, j), ze, zf[j]);
    }
  }
  return z;
}

}  // namespace

LogEmissions log_emissions(const EmissionParams& params, ResidueType type) {
  LogEmissions emissions{};
  const auto symbols = static_cast<std::uint8_t>(symbol_count(type));
  for (std::uint8_t a = 0; a < symbols; ++a) {
    double q = 0;
    for (std::size_t r : residues_of_code(type, a)) q += testing::single_emission(type, r);
    emissions.single[a] = std::log(q);
  }
  for (std::uint8_t a = 0; a < symbols; ++a) {
    for (std::uint8_t b = 0; b < symbols; ++b) {
      const double log_odds = log_average(type, a, b, [&](std::size_t r, std::size_t s) {
        return testing::match_odds(params, type, r, s);
      });
      emissions.pair[a][b] = log_odds + emissions.single[a] + emissions.single[b];
    }
  }
  return emissions;
}

LogTable log_match_weights(const PartitionFunction& partition, ResidueType type) {
  LogTable table{};
  const auto symbols = static_cast<std::uint8_t>(symbol_count(type));
  for (std::uint8_t a = 0; a < symbols; ++a) {
    for (std::uint8_t b = 0; b < symbols; ++b) {
      table[a][b] = log_average(type, a, b, [&](std::size_t r, std::size_t s) {
        const long double score = testing::substitution_score(partition, type, r, s);
        return std::exp(score / partition.temperature);
      });
    }
  }
  return table;
}

std::vector<double> log_openings(const Codes& codes, const GapOpeningParams& params,
                                 ResidueType type) {
  std::vector<double> openings(codes.size() + 1, 0);
  if (type != ResidueType::protein) return openings;
  const ResidueContexts& contexts = protein_contexts();
  const auto says = [&](int side, std::uint8_t code) {
    return contexts.log_opening(side, code & 31) + contexts.log_opening(side, 32u + (code >> 5));
  };
  for (std::size_t i = 1; i < codes.size(); ++i) {
    openings[i] = std::clamp(params.context_share * (says(0, codes[i - 1]) + says(1, codes[i])),
                             -std::log(4.0), std::log(4.0));
  }
  return openings;
}

LogMatches log_matches(const PairHmm& hmm, ResidueType type) {
  const LogEmissions emissions = log_emissions(hmm.emissions, type);
  const double match_match = LogHmm(hmm).match_match;
  double largest = kLogZero;
  for (std::size_t a = 0; a < symbol_count(type); ++a) {
    for (std::size_t b = 0; b < symbol_count(type); ++b) {
      largest = std::max(
          largest, match_match + emissions.pair[a][b] - emissions.single[a] - emissions.single[b]);
    }
  }
  return with_contexts(emissions.pair, hmm.emissions.context_share, type, largest);
}

LogMatches log_matches(const PartitionFunction& partition, ResidueType type) {
  const LogTable weights = log_match_weights(partition, type);
  double largest = kLogZero;
  for (std::size_t a = 0; a < symbol_count(type); ++a) {
    for (std::size_t b = 0; b < symbol_count(type); ++b) largest = std::max(largest, weights[a][b]);
  }
  return with_contexts(weights, partition.context_share, type, largest);
}

Dense hmm_posteriors(const Codes& x, const Codes& y, const PairHmm& hmm, ResidueType type,
                     const GapOpeningParams& openings) {
  const Pair sequences(x, y, openings, type);
  const LogHmm transitions(hmm);
  const LogMatches pair = log_matches(hmm, type);
  const LogSingles single{log_emissions(hmm.emissions, type).single};
  double log_total = 0;
  Dense posterior = hmm_forward(sequences, transitions, pair, single, log_total);
  const Dense backward = hmm_backward(sequences, transitions, pair, single);
  for (std::size_t i = 0; i <= x.size(); ++i) {
    for (std::size_t j = 0; j <= y.size(); ++j)
      posterior.at(i, j) = std::exp(posterior.at(i, j) + backward.at(i, j) - log_total);
  }
  return posterior;
}

/// The alignments of the suffixes after (i, j) are those of prefixes of the reversed sequences:
///   P(i,j) = Zm(i,j) R(m-i, n-j) / Z,
/// where R is the total that continues after a match: with free gaps to the end, 1 on the border.
Dense partition_posteriors(const Codes& x, const Codes& y, const PartitionFunction& partition,
                           ResidueType type, const GapOpeningParams& openings) {
  const std::size_t m = x.size(), n = y.size();
  const Pair sequences(x, y, openings, type);
  const LogMatches weights = log_matches(partition, type);
  Dense posterior(m, n);
  const PrefixFunction forward = partition_forward(sequences, partition, weights);
  const PrefixFunction reverse = partition_forward(sequences.reversed(), partition, weights);
  const double log_total = forward.total.at(m, n);
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      posterior.at(i, j) =
          std::exp(forward.match.at(i, j) + reverse.total.at(m - i, n - j) - log_total);
    }
  }
  return posterior;
}

Dense mixture(const Dense& hmm, const Dense& partition, const MixtureParams& params) {
  const double h = params.hmm_share, q = 1 - h, r = params.square_share;
  Dense mixed(hmm.m(), hmm.n());
  for (std::size_t i = 0; i <= hmm.m(); ++i) {
    for (std::size_t j = 0; j <= hmm.n(); ++j) {
      const double a = hmm.at(i, j), b = partition.at(i, j);
      mixed.at(i, j) = (1 - r) * (h * a + q * b) + r * std::sqrt(h * a * a + q * b * b);
    }
  }
  return mixed;
}

Dense posteriors(const Codes& x, const Codes& y, const Parameters& parameters, ResidueType type) {
  return mixture(hmm_posteriors(x, y, parameters.hmm, type, parameters.gap_openings),
                 partition_posteriors(x, y, parameters.partition, type, parameters.gap_openings),
                 parameters.mixture);
}

double expected_accuracy(const Dense& posterior) {
  Dense best(posterior.m(), posterior.n());
  for (std::size_t i = 1; i <= posterior.m(); ++i) {
    for (std::size_t j = 1; j <= posterior.n(); ++j) {
      best.at(i, j) = std::max(
          {best.at(i - 1, j - 1) + posterior.at(i, j), best.at(i, j - 1), best.at(i - 1, j)});
    }
  }
  return best.at(posterior.m(), posterior.n());
}

double distance(const Dense& posterior) {
  return 1 -
         expected_accuracy(posterior) / static_cast<double>(std::min(posterior.m(), posterior.n()));
}

}  // namespace accord::oracle
