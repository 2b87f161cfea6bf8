// SPDX-License-Identifier: Apache-2.0
// Functions that read, judge and trim given alignments.
#include "accord/api/given.hpp"

#include <utility>

#include "api/call.hpp"
#include "io/families/aligned_records.hpp"
#include "io/families/reference_alignment.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "run/confidence_run.hpp"
#include "tools/scoring.hpp"
#include "tools/trim_alignment.hpp"

namespace accord::api {
namespace {

std::vector<Sequence> sequences_in(std::vector<SequenceRecord> records) {
  std::vector<Sequence> sequences;
  for (SequenceRecord& record : records) {
    sequences.push_back({std::move(record.header), std::move(record.letters)});
  }
  return sequences;
}

/// The sequences that `read` finds in a file, with the warnings.
template <class Read>
Sequences read_file(const std::string& file, const Read& read) {
  const ReadingScope reading;
  const WarningScope scope;
  return with_api_option_names([&] {
    Sequences found{sequences_in(read(read_text(file), input_label(file))), {}};
    found.warnings = notices_of(scope);
    return found;
  });
}

Confidence judged(const AlignedFamily& aligned, const std::vector<bool>& kept,
                  const Options& options) {
  return run::confidence(aligned, kept, settings_of(options, aligned.set.type()),
                         CallRun(options).context());
}

std::optional<double> share(const std::optional<double>& value, const char* name) {
  if (!value || (*value >= 0 && *value <= 1)) return value;
  throw Error(ErrorKind::usage, std::string(name) + ": no share",
              "use a number of 0 to 1, such as 0.5");
}

TrimRequest request_of(const TrimOptions& wanted) {
  TrimRequest request;
  request.ranges = parse_columns(wanted.columns);
  request.row = wanted.by_row;
  request.most_gaps = share(wanted.max_gaps, "max_gaps");
  request.most_row_gaps = share(wanted.max_row_gaps, "max_row_gaps");
  request.least_confidence = share(wanted.min_confidence, "min_confidence");
  request.least_consistency = share(wanted.min_consistency, "min_consistency");
  request.mask = share(wanted.mask, "mask");
  request.ends_only = wanted.ends;
  request.whole_codons = wanted.codons;
  request.keeps_names = wanted.keep_names;
  return request;
}

}  // namespace

Sequences read_sequences(const std::string& file, bool coding) {
  return read_file(file, [&](const std::string& text, const std::string& label) {
    ReadOptions reading;
    reading.takes_coding = coding;
    return sequences_of(text, label, reading, true);
  });
}

Sequences read_alignment(const std::string& file) {
  return read_file(file, [](const std::string& text, const std::string& label) {
    return aligned_records_of(text, label, {});
  });
}

Reference read_reference(const std::string& file) {
  return with_api_option_names([&] {
    AlignedRows read = read_reference_alignment(file);
    Reference reference;
    for (std::size_t r = 0; r < read.rows.size(); ++r) {
      reference.rows.push_back({std::move(read.names[r]), std::move(read.rows[r])});
    }
    reference.core = std::move(read.core_columns);
    return reference;
  });
}

Score score(const std::vector<Sequence>& alignment, const Reference& reference) {
  return with_api_option_names([&]() -> Score {
    AlignedRows scored = named_rows_of(reference.rows, "the reference");
    scored.core_columns = reference.core;
    const accord::Score found = score_alignment(named_rows_of(alignment, "the alignment"), scored);
    return {found.sum_of_pairs(), found.total_column()};
  });
}

Alignment confidence(const std::vector<Sequence>& rows, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    const AlignedFamily aligned = aligned_family_of(rows, options);
    const std::vector<bool> kept = used_columns(aligned);
    const Confidence found = judged(aligned, kept, options);
    Alignment alignment = alignment_of(text_of(aligned, kept, {}, &found));
    set_confidence(alignment, aligned.set, msa_of(aligned, kept), found);
    alignment.warnings = notices_of(scope);
    return alignment;
  });
}

Trimmed trim(const std::vector<Sequence>& rows, const TrimOptions& wanted, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    const TrimRequest request = request_of(wanted);
    std::vector<AlignedRows> others;
    for (const std::vector<Sequence>& other : wanted.among) {
      const WarningScope unsaid;  // of names that are those of the alignment
      others.push_back(named_rows(aligned_family_of(other, options, "the alignment of among")));
    }
    Alignment whole;  // all columns
    JudgeAlignment judge;
    if (options.confidence || request.needs_confidence()) {
      judge = [&](const AlignedFamily& aligned) {
        const std::vector<bool> all(aligned.columns(), true);
        Confidence found = judged(aligned, all, options);
        set_confidence(whole, aligned.set, msa_of(aligned, all), found);
        return found;
      };
    }
    TrimmedAlignment left =
        trim_alignment(aligned_family_of(rows, options), request, others, judge);
    std::vector<bool> kept = kept_columns(left.columns);
    Trimmed trimmed;
    trimmed.alignment = part_of(left.text, whole, kept);
    for (const ColumnFate fate : left.columns) trimmed.fates.emplace_back(fate_name(fate));
    for (const RowLeftOut& row : left.rows) trimmed.rows.push_back({row.name, row.gaps});
    trimmed.map = format_column_map(left.whole, left.columns, left.consistency);
    trimmed.left_out = format_left_out(left.rows, left.columns);
    kept.flip();
    trimmed.complement = part_of(complement_of(left), whole, kept);
    trimmed.alignment.warnings = notices_of(scope);
    return trimmed;
  });
}

}  // namespace accord::api
