// SPDX-License-Identifier: Apache-2.0
#include "core/sequence_set.hpp"

#include <algorithm>
#include <numeric>

namespace accord {
namespace {

std::string upper_cased(const std::string& letters) {
  std::string upper = letters;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

}  // namespace

std::string_view SequenceRecord::name() const {
  std::string_view text = header;
  if (name_bytes) return text.substr(0, *name_bytes);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_first_of(" \t"));
}

std::vector<std::uint32_t> CodedSequences::lengths() const {
  std::vector<std::uint32_t> lengths(size());
  for (std::size_t x = 0; x < size(); ++x) lengths[x] = length(x);
  return lengths;
}

void CodedSequences::append(std::span<const std::uint8_t> codes) {
  codes_.insert(codes_.end(), codes.begin(), codes.end());
  first_.push_back(codes_.size());
}

void CodedSequences::append(const CodedSequences& others) {
  const std::size_t before = codes_.size();
  codes_.insert(codes_.end(), others.codes_.begin(), others.codes_.end());
  for (std::size_t x = 1; x <= others.size(); ++x) first_.push_back(before + others.first_[x]);
}

SequenceSet::SequenceSet(std::vector<SequenceRecord> records, ResidueType type) : type_(type) {
  std::vector<std::string> upper;
  upper.reserve(records.size());
  for (const SequenceRecord& record : records) upper.push_back(upper_cased(record.letters));

  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (upper[a].size() != upper[b].size()) return upper[a].size() > upper[b].size();
    if (upper[a] != upper[b]) return upper[a] < upper[b];
    if (records[a].header != records[b].header) return records[a].header < records[b].header;
    if (records[a].track != records[b].track) return records[a].track < records[b].track;
    if (records[a].letters != records[b].letters) return records[a].letters < records[b].letters;
    if (records[a].base_pairs != records[b].base_pairs) {
      return records[a].base_pairs < records[b].base_pairs;
    }
    return precedes(records[a].trace, records[b].trace);  // equal records are interchangeable
  });

  from_input_.resize(order.size());
  for (std::size_t x = 0; x < order.size(); ++x) {
    from_input_[order[x]] = x;
    SequenceRecord& record = records[order[x]];
    std::vector<std::uint8_t> codes;
    codes.reserve(record.letters.size());
    for (char letter : record.letters) codes.push_back(encode_letter(type, letter));
    coded_.append(codes);
    records_.push_back(std::move(record));
  }
}

SequenceSet SequenceSet::subset(std::span<const std::uint32_t> members) const {
  std::vector<SequenceRecord> records;
  records.reserve(members.size());
  for (const std::uint32_t x : members) records.push_back(records_[x]);
  return SequenceSet(std::move(records), type_);
}

}  // namespace accord
