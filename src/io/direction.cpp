// SPDX-License-Identifier: Apache-2.0
#include "io/direction.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace accord {
namespace {

constexpr std::string_view kLetters = "ACGTURYSWKMBDHVNacgturyswkmbdhvn";
constexpr std::string_view kComplements = "TGCAAYRSWMKVHDBNtgcaayrswmkvhdbn";

using Words = std::vector<std::uint32_t>;

/// The words of k letters of a sequence, each once, sorted; words with an ambiguous letter are left
/// out.
Words words_of(const std::string& letters, unsigned k) {
  Words words;
  const std::uint32_t mask = (std::uint32_t{1} << (2 * k)) - 1;
  std::uint32_t word = 0;
  unsigned length = 0;
  for (const char c : letters) {
    const std::uint8_t code = encode_letter(ResidueType::dna, c);
    length = code < 4 ? length + 1 : 0;
    word = ((word << 2) | (code & 3u)) & mask;
    if (length >= k) words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// Words so long that two unrelated sequences share few of them.
unsigned word_length(const std::vector<SequenceRecord>& records) {
  constexpr unsigned kShortest = 6, kLongest = 12;
  std::size_t longest = 0;
  for (const SequenceRecord& record : records) longest = std::max(longest, record.letters.size());
  unsigned k = kShortest;
  while (k < kLongest && (std::size_t{1} << (2 * k)) < 16 * longest) ++k;
  return k;
}

/// The directions of sequences against each other.
class Directions {
 public:
  explicit Directions(const std::vector<SequenceRecord>& records) : turned_(records.size(), false) {
    const unsigned k = word_length(records);
    count_.assign(std::size_t{1} << (2 * k), 0);
    for (const SequenceRecord& record : records) {
      forward_.push_back(words_of(record.letters, k));
      backward_.push_back(words_of(reverse_complement(record.letters), k));
    }
  }

  /// Each sequence against those before it in `order`, then against all others as long as that
  /// turns any.
  const std::vector<bool>& find(const std::vector<std::size_t>& order) {
    for (const std::size_t x : order) {
      turned_[x] = prefers_backward(x, false);
      add(x, 1);
    }
    constexpr int kMostRounds = 8;
    bool has_changed = true;
    for (int round = 0; round < kMostRounds && has_changed; ++round) {
      has_changed = false;
      for (const std::size_t x : order) {
        add(x, -1);
        const bool is_turned = prefers_backward(x, turned_[x]);
        has_changed = has_changed || is_turned != turned_[x];
        turned_[x] = is_turned;
        add(x, 1);
      }
    }
    return turned_;
  }

 private:
  const Words& words(std::size_t x) const { return turned_[x] ? backward_[x] : forward_[x]; }

  void add(std::size_t x, std::int32_t number) {
    for (const std::uint32_t word : words(x)) count_[word] += number;
  }

  std::int64_t shared(const Words& words) const {
    std::int64_t sum = 0;
    for (const std::uint32_t word : words) sum += count_[word];
    return sum;
  }

  bool prefers_backward(std::size_t x, bool otherwise) const {
    const std::int64_t there = shared(forward_[x]), back = shared(backward_[x]);
    return there == back ? otherwise : back > there;
  }

  std::vector<Words> forward_, backward_;
  std::vector<std::int32_t> count_;  ///< of each word, the sequences that have it
  std::vector<bool> turned_;
};

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

std::vector<std::size_t> adjust_directions(std::vector<SequenceRecord>& records) {
  // The order of SequenceSet, so that the order of the input does not matter.
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto &x = records[a], &y = records[b];
    if (x.letters.size() != y.letters.size()) return x.letters.size() > y.letters.size();
    return x.letters != y.letters ? x.letters < y.letters : x.header < y.header;
  });
  std::vector<bool> turned = Directions(records).find(order);
  const auto count = static_cast<std::size_t>(std::count(turned.begin(), turned.end(), true));
  const bool are_most = 2 * count > records.size() ||
                        (2 * count == records.size() && count > 0 && turned[order.front()]);
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < records.size(); ++k) {
    if (turned[k] == are_most) continue;
    records[k].letters = reverse_complement(records[k].letters);
    std::string& header = records[k].header;
    if (!records[k].name_bytes) {
      // The mark is to stand before the name, not before blanks in front of it.
      header.erase(0, std::min(header.find_first_not_of(" \t"), header.size()));
    } else {
      *records[k].name_bytes += std::string_view(kTurnedMark).size();
    }
    header.insert(0, kTurnedMark);
    places.push_back(k);
  }
  return places;
}

}  // namespace accord
