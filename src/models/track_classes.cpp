// SPDX-License-Identifier: Apache-2.0
#include "models/track_classes.hpp"

#include <cstddef>
#include <utility>

#include "base/portable_math.hpp"

namespace accord {
namespace {

constexpr std::size_t kMostGroups = ACCORD_CONTEXTS - 1;

/// Groups of letters, and how often letters of two groups are aligned.
class Groups {
 public:
  explicit Groups(const TrackTable& table) : frequencies_(table.frequencies) {
    const std::size_t count = frequencies_.size();
    joint_.assign(count, std::vector<double>(count));
    double sum = 0;
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        joint_[a][b] = frequencies_[a] * frequencies_[b] * portable_exp(table.log_odds[a][b]);
        sum += joint_[a][b];
      }
      group_of_.push_back(a);
    }
    for (std::vector<double>& row : joint_) {
      for (double& share : row) share /= sum;
    }
    groups_ = count;
  }

  void reduce() {
    while (groups_ > kMostGroups) merge_nearest();
    while (move_letter()) {
    }
  }

  std::size_t size() const { return groups_; }
  std::size_t group_of(std::size_t letter) const { return group_of_[letter]; }

  /// [group][group]: the natural logarithm of the odds.
  std::vector<std::vector<double>> log_odds() const { return sums_of(group_of_).log_odds(); }

 private:
  /// The shares of groups among residues and aligned pairs.
  struct Sums {
    std::vector<double> single;
    std::vector<std::vector<double>> joint;

    static double information(double joint, double expected) {
      return joint * portable_log(joint / expected);
    }
    double information(std::size_t g, std::size_t h) const {
      return information(joint[g][h], single[g] * single[h]);
    }
    double information() const {
      double sum = 0;
      for (std::size_t g = 0; g < single.size(); ++g) {
        for (std::size_t h = 0; h < single.size(); ++h) sum += information(g, h);
      }
      return sum;
    }
    /// The information that is lost if g and h become one group.
    double loss(std::size_t g, std::size_t h, const std::vector<std::vector<double>>& known) const {
      const double both = single[g] + single[h];
      double lost = known[g][g] + known[h][h] + 2 * known[g][h] -
                    information(joint[g][g] + joint[h][h] + 2 * joint[g][h], both * both);
      for (std::size_t k = 0; k < single.size(); ++k) {
        if (k == g || k == h) continue;
        lost += 2 * (known[g][k] + known[h][k] -
                     information(joint[g][k] + joint[h][k], both * single[k]));
      }
      return lost;
    }
    std::vector<std::vector<double>> log_odds() const {
      std::vector<std::vector<double>> odds = joint;
      for (std::size_t g = 0; g < single.size(); ++g) {
        for (std::size_t h = 0; h < single.size(); ++h) {
          odds[g][h] = portable_log(joint[g][h] / (single[g] * single[h]));
        }
      }
      return odds;
    }
  };

  Sums sums_of(const std::vector<std::size_t>& group_of) const {
    Sums sums{std::vector<double>(groups_),
              std::vector<std::vector<double>>(groups_, std::vector<double>(groups_))};
    for (std::size_t a = 0; a < group_of.size(); ++a) {
      sums.single[group_of[a]] += frequencies_[a];
      for (std::size_t b = 0; b < group_of.size(); ++b) {
        sums.joint[group_of[a]][group_of[b]] += joint_[a][b];
      }
    }
    return sums;
  }

  void merge_nearest() {
    const Sums sums = sums_of(group_of_);
    std::vector<std::vector<double>> known = sums.joint;
    for (std::size_t g = 0; g < groups_; ++g) {
      for (std::size_t h = 0; h < groups_; ++h) known[g][h] = sums.information(g, h);
    }
    std::pair<std::size_t, std::size_t> nearest{0, 1};
    double least = sums.loss(0, 1, known);
    for (std::size_t h = 1; h < groups_; ++h) {
      for (std::size_t g = 0; g < h; ++g) {
        const double loss = sums.loss(g, h, known);
        if (!(loss < least)) continue;
        least = loss;
        nearest = {g, h};
      }
    }
    for (std::size_t& group : group_of_) {
      if (group == nearest.second) {
        group = nearest.first;
      } else if (group > nearest.second) {
        --group;
      }
    }
    --groups_;
  }

  /// Moves the first letter whose move gains information. Returns false if there is none.
  bool move_letter() {
    constexpr double kLeastGain = 1e-9;  // so that rounding moves nothing to and fro
    const double before = sums_of(group_of_).information();
    std::vector<std::size_t> members(groups_);
    for (const std::size_t group : group_of_) ++members[group];
    for (std::size_t a = 0; a < group_of_.size(); ++a) {
      if (members[group_of_[a]] == 1) continue;
      std::vector<std::size_t> moved = group_of_;
      for (std::size_t g = 0; g < groups_; ++g) {
        moved[a] = g;
        if (!(sums_of(moved).information() > before + kLeastGain)) continue;
        group_of_ = std::move(moved);
        return true;
      }
    }
    return false;
  }

  const std::vector<double>& frequencies_;
  std::vector<std::vector<double>> joint_;  // shares of pairs of letters; the sum is 1
  std::vector<std::size_t> group_of_;       // by letter
  std::size_t groups_ = 0;
};

}  // namespace

std::vector<std::uint8_t> TrackClasses::classes(std::string_view track) const {
  std::vector<std::uint8_t> found;
  found.reserve(track.size());
  for (const char letter : track) found.push_back(class_of[static_cast<unsigned char>(letter)]);
  return found;
}

TrackClasses reduce_track_letters(const TrackTable& table) {
  Groups groups(table);
  groups.reduce();
  TrackClasses classes;
  classes.class_of.fill(TrackClasses::kUnknown);
  for (std::size_t a = 0; a < table.letters.size(); ++a) {
    classes.class_of[static_cast<unsigned char>(table.letters[a])] =
        static_cast<std::uint8_t>(groups.group_of(a));
  }
  const std::vector<std::vector<double>> odds = groups.log_odds();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t h = 0; h < groups.size(); ++h) classes.log_odds[g][h] = odds[g][h];
  }
  return classes;
}

}  // namespace accord
