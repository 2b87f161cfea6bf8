// SPDX-License-Identifier: Apache-2.0
// Functions that read, judge and trim given alignments.
#include "accord/api/given.hpp"

#include <limits>
#include <utility>

#include "api/call.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/aligned_structures.hpp"
#include "io/families/reference_alignment.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/confidence_writer.hpp"
#include "io/formats/formats.hpp"
#include "method/structures/lddt.hpp"
#include "run/align_run.hpp"
#include "run/compare_run.hpp"
#include "run/structure_run.hpp"
#include "run/verify_run.hpp"
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

/// The marks of residues, row by row over all columns, NaN in gaps.
std::vector<float> spread(const AlignedRows& shown, const AgreementMarks& marks) {
  std::vector<float> all;
  for (std::size_t r = 0; r < shown.rows.size(); ++r) {
    std::size_t next = 0;
    for (const char letter : shown.rows[r]) {
      all.push_back(letter == '-' ? std::numeric_limits<float>::quiet_NaN()
                                  : marks.residue[r][next++]);
    }
  }
  return all;
}

run::Verification verified(const run::StatedAlignment& stated, bool again, const Options& options) {
  if (!again) return run::verify(stated, nullptr);
  CallRun run(options);
  const RunContext context = run.context();
  return run::verify(stated, &context);
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

StructureFigures structure_figures(const std::vector<Sequence>& rows,
                                   const std::vector<std::string>& files,
                                   const StructureWishes& wishes, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    const bool is_pdb = wishes.superposed == "pdb";
    if (!is_pdb && wishes.superposed != "mmcif" && !wishes.superposed.empty()) {
      throw Error(ErrorKind::usage, "superposed " + wishes.superposed + ": no format of structures",
                  "use pdb or mmcif");
    }
    AlignedFamily aligned = aligned_family_of(rows, options);
    add_structures(aligned, files, !wishes.superposed.empty());
    const Msa msa = msa_of(aligned, std::vector<bool>(aligned.columns(), true));
    const std::optional<Lddt> lddt = alignment_lddt(aligned.set, msa);
    if (!lddt) {
      throw Error(ErrorKind::bad_input, "fewer than two rows have structures",
                  "structures have the names of their files");
    }
    StructureFigures figures;
    figures.column_lddt = lddt->column;
    figures.mean_lddt = lddt->mean;
    figures.residue_lddt.assign(rows.size() * aligned.columns(),
                                std::numeric_limits<float>::quiet_NaN());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::size_t x = aligned.set.from_input(k);
      for (std::size_t i = 0; i < lddt->residue[x].size(); ++i) {
        figures.residue_lddt[k * aligned.columns() + msa.column_of[x][i]] = lddt->residue[x][i];
      }
    }
    if (wishes.tm_scores) {
      run::for_each_fit(aligned.set, msa, [&](std::uint32_t x, std::uint32_t y, const auto& fit) {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        StructurePair pair{std::string(aligned.set.name(x)),
                           std::string(aligned.set.name(y)),
                           0,
                           kNone,
                           kNone,
                           kNone};
        if (fit) {
          pair.aligned = fit->aligned;
          pair.tm_x = fit->tm_x;
          pair.tm_y = fit->tm_y;
          pair.rmsd = fit->rmsd;
        }
        figures.tm_scores.push_back(std::move(pair));
      });
    }
    if (!wishes.superposed.empty()) {
      const CommonFrame frame = *common_frame(aligned.set, msa);
      run::warn_of_unmoved(aligned.set, frame);
      figures.superposed = written_text([&](TextSink& out) {
        run::write_superposed(aligned.set, frame,
                              is_pdb ? StructureFormat::pdb : StructureFormat::mmcif, out);
      });
    }
    figures.warnings = notices_of(scope);
    return figures;
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

Agreement compare(const Reference& shown, const std::vector<std::vector<Sequence>>& others) {
  return with_api_option_names([&] {
    if (others.empty()) {
      throw Error(ErrorKind::usage, "there is no alignment to compare with", "give one or more");
    }
    AlignedRows first = named_rows_of(shown.rows, "the alignment");
    first.core_columns = shown.core;
    std::vector<AlignedRows> rest;
    std::vector<std::string> labels;
    for (const std::vector<Sequence>& rows : others) {
      labels.push_back(std::to_string(labels.size() + 1));
      rest.push_back(named_rows_of(rows, "alignment " + labels.back()));
    }
    const run::Comparison found = run::compare(first, rest, labels, {.marks = true});
    const AgreementMarks& marks = *found.marks;
    return Agreement{marks.mean, marks.columns_by_other, spread(first, marks), found.summary.mean(),
                     found.summary.text()};
  });
}

std::vector<int> column_weights(const Alignment& alignment) {
  return accord::column_weights(alignment.column_confidence);
}

Verification verify(const std::vector<std::string>& inputs, const std::string& alignment,
                    const std::string& report, bool again, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    MethodOptions method;
    set_named_options(options, method);
    const run::StatedAlignment stated =
        run::read_stated_alignment(inputs, alignment, report, method, source_of(options).track);
    const run::Verification found = verified(stated, again, options);
    Verification verification;
    for (const run::VerifyCheck& check : found.checks) {
      verification.checks.push_back({check.name, check.is_equal, check.detail});
    }
    verification.difference = found.difference;
    verification.warnings = notices_of(scope);
    return verification;
  });
}

}  // namespace accord::api
