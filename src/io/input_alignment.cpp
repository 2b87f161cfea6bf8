// SPDX-License-Identifier: Apache-2.0
#include "io/input_alignment.hpp"

#include <utility>

#include "base/text.hpp"
#include "io/aligned_records.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"

namespace accord {

std::vector<std::size_t> InputAlignment::row_of() const {
  std::vector<std::size_t> found(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) found[set.from_input(k)] = k;
  return found;
}

InputAlignment read_input_alignment(const FamilySource& source) {
  const std::string& file = source.files.front();
  InputAlignment aligned;
  aligned.label = input_label(file);
  aligned.rows =
      aligned_records_of(read_text(file, source.limits()), aligned.label, source.reading);
  std::vector<SequenceRecord> records = without_gaps(aligned.rows);
  count_reading(record_bytes(records), aligned.label, counted(records.size(), "row"));
  aligned.set =
      make_family(std::move(records), source_of_rows(source, aligned.label), aligned.label);
  check_size(aligned.set, source, aligned.label);
  return aligned;
}

}  // namespace accord
