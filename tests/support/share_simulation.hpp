// SPDX-License-Identifier: Apache-2.0
// A stage that several backends compute, event by event, in time that only the simulation knows.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/work_queue_parts.hpp"

namespace accord::testing {

/// A backend of a simulation; times in seconds, rates in work a second.
struct SimulatedBackend {
  double rate;                                                  ///< that batch_share() has to find
  double joins_at = 0;                                          ///< when it asks for work first
  double first_delay = 0;                                       ///< its first batch takes longer
  double tired_from = std::numeric_limits<double>::infinity();  ///< slower batches begin here,
  double tired_by = 1;                                          ///< by this factor
  // What has happened to it:
  std::size_t batches = 0;
  double longest_batch = 0;  ///< without delays
};

/// Backends that share the items of a stage by batch_share(), as the threads of a WorkQueue do.
struct ShareSimulation {
  std::vector<double> items;  ///< work, in the order in which they are taken
  std::vector<SimulatedBackend> backends;
  SharePolicy policy;
  double end = 0;  ///< when the last batch ended

  double work() const { return std::accumulate(items.begin(), items.end(), 0.0); }

  /// When backends that share perfectly end: each works from when it can until all work is done.
  double ideal() const {
    double before = 0, after = 1e12;
    for (int round = 0; round < 100; ++round) {
      const double middle = (before + after) / 2;
      double done = 0;
      for (const SimulatedBackend& one : backends) {
        done += one.rate * std::max(0.0, middle - one.joins_at - one.first_delay);
      }
      (done < work() ? before : after) = middle;
    }
    return after;
  }

  /// Throws  std::runtime_error if all backends refuse work that is left.
  void run() {
    Moment now(backends.size());
    for (std::size_t k = 0; k < backends.size(); ++k) now.free_at[k] = backends[k].joins_at;
    double remaining = work(), done = 0;
    for (std::size_t next = 0; next < items.size();) {
      // The backend that is free first asks; one that refuses asks again when a batch has ended.
      const auto first = std::min_element(now.free_at.begin(), now.free_at.end());
      const auto self = static_cast<std::size_t>(first - now.free_at.begin());
      const double time = *first;
      if (!std::isfinite(time)) throw std::runtime_error("all backends refuse");
      if (now.taken[self] > 0) {
        done += now.taken[self];
        now.rates[self] = updated_rate(now.rates[self], now.taken[self], time - now.since[self]);
        now.taken[self] = 0;
        std::replace(now.free_at.begin(), now.free_at.end(), double{INFINITY}, time);
      }
      const double share = share_of(self, {remaining, done, items[next]}, now, time);
      if (share <= 0) {
        now.free_at[self] = INFINITY;
        continue;
      }
      double taken = 0;
      do {
        taken += items[next++];
      } while (next < items.size() && taken + items[next] <= share);
      remaining -= taken;
      now.taken[self] = taken;
      now.since[self] = time;
      now.free_at[self] = time + seconds_of(backends[self], taken, time);
      end = std::max(end, now.free_at[self]);
    }
  }

 private:
  struct Moment {
    explicit Moment(std::size_t count)
        : rates(count, 0), free_at(count, 0), taken(count, 0), since(count, 0) {}
    std::vector<double> rates, free_at, taken, since;
  };

  static double seconds_of(SimulatedBackend& one, double taken, double time) {
    const double seconds = taken / one.rate;
    one.longest_batch = std::max(one.longest_batch, seconds);
    const double delay = one.batches++ == 0 ? one.first_delay : 0;
    return delay + seconds * (time >= one.tired_from ? one.tired_by : 1);
  }

  /// Of the backends that have joined; those that will join count as one of no known rate.
  double share_of(std::size_t self, const StageWork& of_stage, const Moment& now,
                  double time) const {
    std::vector<double> rates;
    std::size_t place = 0;
    bool is_awaited = false;
    for (std::size_t k = 0; k < backends.size(); ++k) {
      if (k == self) place = rates.size();
      const bool is_there = backends[k].joins_at <= time;
      if (is_there) rates.push_back(now.rates[k]);
      is_awaited |= !is_there;
    }
    if (is_awaited) rates.push_back(0);
    return batch_share(of_stage, rates, place, policy);
  }
};

/// The blocks of many small families and a few large ones, as cells of posteriors: the families
/// with most work first, and in each the largest blocks first. Lengths and sizes are lognormal.
inline std::vector<double> blocks_of_families(std::mt19937& random, std::size_t small,
                                              std::size_t large) {
  constexpr std::size_t kBlock = 16;
  std::lognormal_distribution<double> lengths(std::log(200.0), 0.5), sizes(std::log(12.0), 0.7);
  std::vector<std::vector<double>> families(small + large);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const double factor = f < large ? 12 : 1;
    const auto size = static_cast<std::size_t>(2 + factor * sizes(random));
    const double length = lengths(random);
    for (std::size_t y = 1; y < size; ++y) {
      const double cells =
          length * length * (1 - 0.3 * static_cast<double>(y) / static_cast<double>(size));
      for (std::size_t left = y; left > 0; left -= std::min(left, kBlock)) {
        families[f].push_back(cells * static_cast<double>(std::min(left, kBlock)));
      }
    }
    std::sort(families[f].rbegin(), families[f].rend());
  }
  const auto work_of = [](const std::vector<double>& family) {
    return std::accumulate(family.begin(), family.end(), 0.0);
  };
  std::sort(families.begin(), families.end(),
            [&](const auto& a, const auto& b) { return work_of(a) > work_of(b); });
  std::vector<double> items;
  for (const auto& family : families) items.insert(items.end(), family.begin(), family.end());
  return items;
}

}  // namespace accord::testing
