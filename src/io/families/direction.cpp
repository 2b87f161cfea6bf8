// SPDX-License-Identifier: Apache-2.0
#include "io/families/direction.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

namespace accord {
namespace {

constexpr std::string_view kLetters = "ACGTURYSWKMBDHVNacgturyswkmbdhvn";
constexpr std::string_view kComplements = "TGCAAYRSWMKVHDBNtgcaayrswmkvhdbn";

using Words = std::vector<std::uint32_t>;

/// A word length at which two unrelated sequences share few words.
unsigned word_length(std::size_t longest) {
  constexpr unsigned kShortest = 6, kLongest = 12;
  unsigned k = kShortest;
  while (k < kLongest && (std::size_t{1} << (2 * k)) < 16 * longest) ++k;
  return k;
}

/// The number of words that a sequence shares with others, forward (`there`) and as its reverse
/// complement (`back`).
struct Shared {
  std::int64_t there = 0, back = 0;
};

/// For each word of k letters, the number of sequences with it.
class WordCounts {
 public:
  explicit WordCounts(std::size_t longest)
      : k_(word_length(longest)), count_(std::size_t{1} << (2 * k_)), seen_(count_.size()) {}

  /// The words of a sequence, each once, without words with an ambiguous letter.
  Words words_of(std::string_view letters) {
    Words words;
    ++sequence_;
    const std::uint32_t mask = (std::uint32_t{1} << (2 * k_)) - 1;
    std::uint32_t word = 0;
    unsigned length = 0;
    for (const char c : letters) {
      const std::uint8_t code = encode_letter(ResidueType::dna, c);
      length = code < 4 ? length + 1 : 0;
      word = ((word << 2) | (code & 3u)) & mask;
      if (length < k_ || seen_[word] == sequence_) continue;
      seen_[word] = sequence_;
      words.push_back(word);
    }
    return words;
  }

  void add(const Words& words, std::int32_t number) {
    for (const std::uint32_t word : words) count_[word] += number;
  }

  std::int64_t shared(const Words& words) const {
    std::int64_t sum = 0;
    for (const std::uint32_t word : words) sum += count_[word];
    return sum;
  }

 private:
  unsigned k_;
  std::vector<std::int32_t> count_;
  std::vector<std::uint32_t> seen_;  ///< [word]: last sequence that had it, from 1
  std::uint32_t sequence_ = 0;
};

/// Finds the directions of sequences relative to each other.
class Directions {
 public:
  explicit Directions(std::size_t longest) : counts_(longest) {}

  /// Adds a sequence whose direction is fixed.
  void add_directed(const std::string& letters) { counts_.add(counts_.words_of(letters), 1); }

  /// Adds a sequence whose direction is to be found.
  void add(const std::string& letters) {
    forward_.push_back(counts_.words_of(letters));
    backward_.push_back(counts_.words_of(reverse_complement(letters)));
    turned_.push_back(false);
  }

  /// Compares each sequence with those before it in `order`, then with all others until no sequence
  /// turns, in at most kMostRounds rounds.
  const std::vector<bool>& find(const std::vector<std::size_t>& order) {
    for (const std::size_t x : order) {
      turned_[x] = prefers_backward(x, false);
      counts_.add(words(x), 1);
    }
    constexpr int kMostRounds = 8;
    bool has_changed = true;
    for (int round = 0; round < kMostRounds && has_changed; ++round) {
      has_changed = false;
      for (const std::size_t x : order) {
        counts_.add(words(x), -1);
        const bool is_turned = prefers_backward(x, turned_[x]);
        has_changed = has_changed || is_turned != turned_[x];
        turned_[x] = is_turned;
        counts_.add(words(x), 1);
      }
    }
    return turned_;
  }

  /// Keeps only the sequences that were turned, or only those that were not. Returns which are
  /// kept.
  std::vector<bool> keep(bool are_turned) {
    std::vector<bool> kept = turned_;
    if (!are_turned) kept.flip();
    for (std::size_t x = 0; x < kept.size(); ++x) {
      if (!kept[x]) counts_.add(words(x), -1);
    }
    return kept;
  }

  /// The words that another sequence shares with the kept sequences.
  Shared shared_of(const std::string& letters) {
    const std::int64_t there = counts_.shared(counts_.words_of(letters));
    return {there, counts_.shared(counts_.words_of(reverse_complement(letters)))};
  }

 private:
  const Words& words(std::size_t x) const { return turned_[x] ? backward_[x] : forward_[x]; }

  bool prefers_backward(std::size_t x, bool otherwise) const {
    const std::int64_t there = counts_.shared(forward_[x]), back = counts_.shared(backward_[x]);
    return there == back ? otherwise : back > there;
  }

  WordCounts counts_;
  std::vector<Words> forward_, backward_;
  std::vector<bool> turned_;
};

/// Whether a sequence is clearly a reverse complement: turned, it shares at least twice as many
/// words, and on average with each of the `others` at least ten more words, or one more word per
/// twenty letters.
bool is_clearly_backward(const Shared& shared, std::size_t letters, std::size_t others) {
  constexpr double kFewestWords = 10, kLeastShare = 0.05;
  const double more = std::max(kFewestWords, kLeastShare * static_cast<double>(letters));
  return shared.back >= 2 * shared.there &&
         static_cast<double>(shared.back - shared.there) >= more * static_cast<double>(others);
}

/// At most `number` of the members, evenly spaced.
std::vector<std::uint32_t> spread(std::span<const std::uint32_t> members, std::size_t number) {
  std::vector<std::uint32_t> taken;
  const std::size_t count = std::min(number, members.size());
  for (std::size_t k = 0; k < count; ++k) taken.push_back(members[k * members.size() / count]);
  return taken;
}

/// Whether most sequences were turned. If exactly half were, the longest sequence decides: it keeps
/// its direction.
bool are_turned_most(const std::vector<bool>& turned, std::size_t longest) {
  const auto count = static_cast<std::size_t>(std::count(turned.begin(), turned.end(), true));
  return 2 * count > turned.size() || (2 * count == turned.size() && count > 0 && turned[longest]);
}

}  // namespace

std::string reverse_complement(const std::string& letters) {
  const bool is_rna = letters.find_first_of("Uu") != letters.npos;
  std::string result;
  result.reserve(letters.size());
  for (auto at = letters.rbegin(); at != letters.rend(); ++at) {
    const std::size_t place = kLetters.find(*at);
    char c = place == kLetters.npos ? *at : kComplements[place];
    if (is_rna && c == 'T') c = 'U';
    if (is_rna && c == 't') c = 'u';
    result += c;
  }
  return result;
}

std::vector<std::size_t> adjust_directions(std::vector<SequenceRecord>& records,
                                           std::size_t directed) {
  // In the order of SequenceSet, so that the order of the input does not matter.
  std::vector<std::size_t> order(records.size() - directed);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto &x = records[directed + a], &y = records[directed + b];
    if (x.letters.size() != y.letters.size()) return x.letters.size() > y.letters.size();
    return x.letters != y.letters ? x.letters < y.letters : x.header < y.header;
  });
  std::size_t longest = 0;
  for (const SequenceRecord& record : records) longest = std::max(longest, record.letters.size());
  Directions directions(longest);
  for (std::size_t k = 0; k < records.size(); ++k) {
    if (k < directed) {
      directions.add_directed(records[k].letters);
    } else {
      directions.add(records[k].letters);
    }
  }
  const std::vector<bool>& turned = directions.find(order);
  const bool are_most = directed == 0 && !order.empty() && are_turned_most(turned, order.front());
  std::vector<std::size_t> places;
  for (std::size_t k = directed; k < records.size(); ++k) {
    if (turned[k - directed] == are_most) continue;
    records[k].letters = reverse_complement(records[k].letters);
    std::string& header = records[k].header;
    if (!records[k].name_bytes) {
      // The mark goes directly in front of the name, so blanks before the name are removed.
      header.erase(0, std::min(header.find_first_not_of(" \t"), header.size()));
    } else {
      *records[k].name_bytes += std::string_view(kTurnedMark).size();
    }
    header.insert(0, kTurnedMark);
    places.push_back(k);
  }
  return places;
}

std::vector<std::size_t> backward_sequences(const SequenceSet& set, std::size_t directed) {
  constexpr std::size_t kMostCompared = 200;
  if (set.type() == ResidueType::protein || set.size() < 2) return {};
  std::vector<std::uint32_t> compared;  // the sequences to compare with, in canonical order
  for (std::size_t k = 0; k < (directed > 0 ? directed : set.size()); ++k) {
    compared.push_back(static_cast<std::uint32_t>(set.from_input(k)));
  }
  std::sort(compared.begin(), compared.end());
  compared = spread(compared, kMostCompared);
  Directions directions(set.length(0));
  bool are_most = false;
  std::vector<bool> kept(compared.size(), true);
  if (directed > 0) {
    for (const std::uint32_t x : compared) directions.add_directed(set.letters(x));
  } else {
    for (const std::uint32_t x : compared) directions.add(set.letters(x));
    std::vector<std::size_t> order(compared.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    are_most = are_turned_most(directions.find(order), 0);
    // Two sequences that are similar to each other only may both have been turned by chance.
    kept = directions.keep(are_most);
  }
  const auto others = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
  std::vector<std::size_t> places;
  for (std::size_t k = directed; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    const auto at = std::lower_bound(compared.begin(), compared.end(), x);
    if (directed == 0 && at != compared.end() && *at == x &&
        kept[static_cast<std::size_t>(at - compared.begin())]) {
      continue;
    }
    Shared shared = directions.shared_of(set.letters(x));
    if (are_most) std::swap(shared.there, shared.back);
    if (is_clearly_backward(shared, set.length(x), others)) places.push_back(k);
  }
  return places;
}

}  // namespace accord
