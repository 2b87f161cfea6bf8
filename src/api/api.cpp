// SPDX-License-Identifier: Apache-2.0
#include "accord/api/api.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "accord/api/ensemble.hpp"
#include "api/call.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/track_writer.hpp"
#include "io/formats/formats.hpp"
#include "io/trees/newick.hpp"
#include "method/align_result.hpp"
#include "method/family_posteriors.hpp"
#include "run/align_run.hpp"
#include "run/ensemble_run.hpp"
#include "run/family/prepared_family.hpp"
#include "run/guide_tree_run.hpp"
#include "run/report/ensemble_report.hpp"
#include "run/report/report.hpp"
#include "run/report/result_page.hpp"
#include "tools/scoring.hpp"

namespace accord::api {
namespace {

FamilyInput family_of_files(const std::vector<std::string>& files, const Options& options) {
  if (files.empty()) throw Error(ErrorKind::usage, "there are no files");
  FamilySource source = source_of(options);
  source.files = files;
  source.takes_track = true;
  return read_family(source, true);
}

Alignment align_input(FamilyInput input, const Options& options, const WarningScope& scope) {
  CallRun call_run(options);
  const PreparedFamily family =
      prepare_family(std::move(input), method_of(options), options.confidence);
  const SequenceSet& set = family.set();
  const AlignResult result = run::align(family, call_run.context());
  const DeviceUse use = call_run.devices().use();

  const Confidence* confidence = result.confidence ? &*result.confidence : nullptr;
  const AlignmentText text = make_alignment_text(set, result.msa, confidence);
  Alignment alignment = alignment_of(text);
  alignment.tree = format_newick(result.tree, set);
  if (confidence != nullptr) set_confidence(alignment, set, result.msa, *confidence);
  if (result.lddt) {
    alignment.column_lddt = result.lddt->column;
    alignment.mean_lddt = result.lddt->mean;
  }
  if (family.input.source.track.has_tracks()) {
    alignment.tracks = track_rows(set, result.msa).rows.texts();
  }
  alignment.report = format_report({family, result, use, call_run.meter()}, result_rows(text), {});
  alignment.warnings = notices_of(scope);
  return alignment;
}

/// An alignment to be written. Its letters are not checked, since codons with frameshifts have `!`.
AlignedFamily as_it_is(const Alignment& alignment) {
  AlignedFamily aligned;
  std::vector<SequenceRecord> rows;
  for (const auto& [name, letters] : alignment.rows) {
    if (letters.size() != alignment.rows.front().letters.size()) {
      throw Error(ErrorKind::bad_input, "the rows of the alignment differ in length");
    }
    rows.push_back({name, letters});
    std::ranges::replace(rows.back().letters, '.', '-');
    aligned.rows.push_back(rows.back().letters);
  }
  aligned.set =
      SequenceSet(without_gaps(rows), type_of(alignment.letters).value_or(ResidueType::protein));
  return aligned;
}

/// The confidence, for formats that show it; nothing if the alignment has none.
std::optional<Confidence> confidence_of(const Alignment& alignment, const AlignedFamily& aligned) {
  const std::size_t columns = aligned.columns(), cells = columns * aligned.rows.size();
  if (alignment.residue_confidence.empty() || alignment.column_confidence.empty()) {
    return std::nullopt;
  }
  if (alignment.residue_confidence.size() != cells ||
      alignment.column_confidence.size() != columns) {
    throw Error(ErrorKind::bad_input, "the confidence does not have the shape of the alignment");
  }
  Confidence confidence;
  confidence.column = alignment.column_confidence;
  confidence.mean = alignment.mean_confidence;
  confidence.residue.resize(aligned.rows.size());
  for (std::size_t k = 0; k < aligned.rows.size(); ++k) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (aligned.rows[k][c] == '-') continue;
      confidence.residue[aligned.set.from_input(k)].push_back(
          alignment.residue_confidence[k * columns + c]);
    }
  }
  return confidence;
}

Alignment replicate_of(const FamilyInput& input, const AlignResult& aligned) {
  const Confidence* confidence = aligned.confidence ? &*aligned.confidence : nullptr;
  Alignment alignment = alignment_of(make_alignment_text(input.set, aligned.msa, confidence));
  alignment.tree = format_newick(aligned.tree, input.set);
  if (confidence != nullptr) set_confidence(alignment, input.set, aligned.msa, *confidence);
  if (input.source.track.has_tracks()) {
    alignment.tracks = track_rows(input.set, aligned.msa).rows.texts();
  }
  return alignment;
}

Ensemble ensemble_of(FamilyInput input, const EnsembleOptions& wanted, const Options& options) {
  CallRun call_run(options);
  const PreparedFamily family =
      prepare_family(std::move(input), method_of(options), options.confidence);
  const accord::Ensemble made =
      run::ensemble(family, {wanted.replicates, wanted.seed}, call_run.context());
  Ensemble ensemble;
  for (std::size_t r = 0; r < made.replicates.size(); ++r) {
    ensemble.replicates.push_back(
        {made.replicates[r].name(), replicate_of(family.input, made.replicates[r].aligned),
         made.agreement.column_confidence[r], made.agreement.agreement[r]});
  }
  ensemble.dispersion = made.agreement.dispersion;
  ensemble.best = made.agreement.best;
  const DeviceUse use = call_run.devices().use();
  const AlignResult& first = made.replicates.front().aligned;
  ensemble.replicates.front().alignment.report =
      format_report({family, first, use, call_run.meter(), "ensemble"}, made,
                    result_rows(make_alignment_text(family.set(), first.msa)), {});
  return ensemble;
}

}  // namespace

std::string version() { return ACCORD_VERSION; }

Alignment align(const std::vector<Sequence>& sequences, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    return align_input(family_of(sequences, options, true), options, scope);
  });
}

Alignment align_files(const std::vector<std::string>& files, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    return align_input(family_of_files(files, options), options, scope);
  });
}

std::string format(const Alignment& alignment, const std::string& format) {
  const std::optional<AlignmentFormat> found = format_named(format);
  if (!found || !is_writable(*found)) {
    throw Error(ErrorKind::usage, "format " + format + ": it cannot be written",
                "use " + writable_formats());
  }
  const WarningScope scope;  // the alignment already warned of changed names
  return with_api_option_names([&] {
    const AlignedFamily aligned = as_it_is(alignment);
    const std::optional<Confidence> confidence = confidence_of(alignment, aligned);
    return format_alignment(text_of(aligned, {}, confidence ? &*confidence : nullptr), *found);
  });
}

std::string html(const Alignment& alignment, const std::string& title) {
  const WarningScope scope;  // the alignment already warned of changed names
  return with_api_option_names([&] {
    const AlignedFamily aligned = as_it_is(alignment);
    const std::optional<Confidence> confidence = confidence_of(alignment, aligned);
    PageParts parts{.title = title, .mean = alignment.mean_confidence, .report = alignment.report};
    if (!confidence) parts.mean = std::numeric_limits<double>::quiet_NaN();
    parts.is_confidence_of_trim = false;
    return page_of(text_of(aligned, {}, confidence ? &*confidence : nullptr), aligned.set,
                   std::move(parts));
  });
}

std::string tree(const std::vector<Sequence>& sequences, const Options& options) {
  return call(options, [&](const WarningScope&) {
    const SequenceSet set = family_of(sequences, options).set;
    const AlignSettings settings = settings_of(options, set.type());
    return format_newick(run::guide_tree(set, settings, CallRun(options).context()), set);
  });
}

std::vector<PosteriorCell> posteriors(const std::string& x, const std::string& y,
                                      const Options& options) {
  return call(options, [&](const WarningScope&) {
    const SequenceSet set = family_of({{"x", x}, {"y", y}}, options).set;
    const PosteriorFamily family(set, settings_of(options, set.type()).parameters);
    CallRun call_run(options);
    const PosteriorSet all = call_run.devices().compute([&](Scheduler& scheduler) {
      return compute_posteriors(family, PairSet::all(2), scheduler,
                                call_run.context().listener.progress);
    });
    // Stored with the longer sequence first; the caller's first one may be the shorter.
    const SparseMatrix matrix = set.from_input(0) == 0 ? all.at(0, 1) : all.at(0, 1).transposed();
    std::vector<PosteriorCell> cells;
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
        cells.push_back({i, j, ACCORD_FRACTION_OF_UNITS(units)});
      });
    }
    return cells;
  });
}

Score score(const std::vector<Sequence>& alignment, const std::vector<Sequence>& reference) {
  const accord::Score found = with_api_option_names([&] {
    return score_alignment(named_rows_of(alignment, "the alignment"),
                           named_rows_of(reference, "the reference"));
  });
  return {found.sum_of_pairs(), found.total_column()};
}

Ensemble ensemble(const std::vector<Sequence>& sequences, const EnsembleOptions& wanted,
                  const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    Ensemble made = ensemble_of(family_of(sequences, options, true), wanted, options);
    made.warnings = notices_of(scope);
    return made;
  });
}

std::string format(const Ensemble& ensemble) {
  std::string text;
  for (const Replicate& replicate : ensemble.replicates) {
    text += '<' + replicate.name + '\n' + format(replicate.alignment, "fasta");
  }
  return text;
}

}  // namespace accord::api
