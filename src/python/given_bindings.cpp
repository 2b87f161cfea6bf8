// SPDX-License-Identifier: Apache-2.0
// The functions of given.hpp and ensemble.hpp, for Python.
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "accord/api/ensemble.hpp"
#include "accord/api/given.hpp"
#include "python/bindings.hpp"

namespace accord::python {
namespace {

/// Names and letters, and the warnings.
std::pair<NamedLetters, std::vector<std::pair<nb::bytes, nb::bytes>>> pairs_of(
    const api::Sequences& sequences) {
  NamedLetters records;
  for (const api::Sequence& one : sequences.records) {
    records.emplace_back(bytes_of(one.name), bytes_of(one.letters));
  }
  return {std::move(records), bytes_of(sequences.warnings)};
}

void declare_reading(nb::module_& m) {
  m.def(
      "read_sequences",
      [](const nb::bytes& path, bool coding) {
        return pairs_of(api::read_sequences(text_of(path), coding));
      },
      nb::arg("path"), nb::arg("coding"));
  m.def(
      "read_alignment",
      [](const nb::bytes& path) { return pairs_of(api::read_alignment(text_of(path))); },
      nb::arg("path"));
  m.def(
      "read_reference",
      [](const nb::bytes& path) {
        const api::Reference reference = api::read_reference(text_of(path));
        return std::pair(pairs_of(api::Sequences{reference.rows, {}}).first, reference.core);
      },
      nb::arg("path"));
  m.def(
      "score",
      [](const NamedLetters& alignment, const NamedLetters& reference,
         const std::vector<bool>& core) {
        const std::vector<api::Sequence> rows = sequences_of(alignment);
        const api::Reference wanted{sequences_of(reference), core};
        const api::Score score = [&] {
          const nb::gil_scoped_release released;
          return api::score(rows, wanted);
        }();
        return std::pair(score.sum_of_pairs, score.total_column);
      },
      nb::arg("alignment"), nb::arg("reference"), nb::arg("core"));
}

void declare_structures(nb::module_& m) {
  nb::class_<api::StructureFigures>(m, "StructureFigures", "What structures say of an alignment.")
      .def_ro("mean_lddt", &api::StructureFigures::mean_lddt)
      .def_prop_ro("column_lddt",
                   [](nb::handle_t<api::StructureFigures> self) {
                     const auto& f = nb::cast<const api::StructureFigures&>(self);
                     return view_of<float, 1>(f.column_lddt.data(), {f.column_lddt.size()}, self);
                   })
      .def_prop_ro("residue_lddt",
                   [](nb::handle_t<api::StructureFigures> self) {
                     const auto& f = nb::cast<const api::StructureFigures&>(self);
                     const std::size_t columns = f.column_lddt.size();
                     const std::size_t rows = columns > 0 ? f.residue_lddt.size() / columns : 0;
                     return view_of<float, 2>(f.residue_lddt.data(), {rows, columns}, self);
                   })
      .def_prop_ro("tm_scores",
                   [](const api::StructureFigures& f) {
                     using Row =
                         std::tuple<nb::bytes, nb::bytes, std::size_t, double, double, double>;
                     std::vector<Row> rows;
                     for (const api::StructurePair& pair : f.tm_scores) {
                       rows.emplace_back(bytes_of(pair.x), bytes_of(pair.y), pair.aligned,
                                         pair.tm_x, pair.tm_y, pair.rmsd);
                     }
                     return rows;
                   })
      .def_prop_ro("superposed",
                   [](const api::StructureFigures& f) { return bytes_of(f.superposed); })
      .def_prop_ro("warnings", [](const api::StructureFigures& f) { return bytes_of(f.warnings); });
  m.def(
      "structure_figures",
      [](const NamedLetters& records, const std::vector<nb::bytes>& paths, bool tm_scores,
         const std::string& superposed, const api::Options& options) {
        const std::vector<api::Sequence> rows = sequences_of(records);
        std::vector<std::string> files;
        for (const nb::bytes& path : paths) files.push_back(text_of(path));
        return interruptible(options, nb::none(), [&](const api::Options& with) {
          return api::structure_figures(rows, files, {tm_scores, superposed}, with);
        });
      },
      nb::arg("records"), nb::arg("paths"), nb::arg("tm_scores"), nb::arg("superposed"),
      nb::arg("options"));
}

void declare_compare(nb::module_& m) {
  nb::class_<api::Agreement>(m, "Agreement", "How far alignments agree.")
      .def_ro("columns", &api::Agreement::columns)
      .def_ro("columns_by_other", &api::Agreement::columns_by_other)
      .def_ro("residues", &api::Agreement::residues)
      .def_ro("mean", &api::Agreement::mean)
      .def_prop_ro("table", [](const api::Agreement& a) { return bytes_of(a.table); });
  m.def(
      "compare",
      [](const NamedLetters& shown, const std::vector<bool>& core,
         const std::vector<NamedLetters>& others) {
        std::vector<std::vector<api::Sequence>> rest;
        for (const NamedLetters& rows : others) rest.push_back(sequences_of(rows));
        const api::Reference first{sequences_of(shown), core};
        const nb::gil_scoped_release released;
        return api::compare(first, rest);
      },
      nb::arg("shown"), nb::arg("core"), nb::arg("others"));
}

void declare_verify(nb::module_& m) {
  nb::class_<api::Verification>(m, "Verification", "What a verification found.")
      .def_prop_ro("checks",
                   [](const api::Verification& v) {
                     std::vector<std::tuple<std::string, bool, nb::bytes>> checks;
                     for (const api::VerifyCheck& check : v.checks) {
                       checks.emplace_back(check.name, check.is_equal, bytes_of(check.detail));
                     }
                     return checks;
                   })
      .def_prop_ro("difference", [](const api::Verification& v) { return bytes_of(v.difference); })
      .def_prop_ro("warnings", [](const api::Verification& v) { return bytes_of(v.warnings); });
  m.def(
      "verify",
      [](const std::vector<nb::bytes>& inputs, const nb::bytes& alignment, const nb::bytes& report,
         bool again, const api::Options& options, const nb::object& progress) {
        std::vector<std::string> paths;
        for (const nb::bytes& path : inputs) paths.push_back(text_of(path));
        const std::string rows = text_of(alignment), recorded = text_of(report);
        return interruptible(options, progress, [&](const api::Options& with) {
          return api::verify(paths, rows, recorded, again, with);
        });
      },
      nb::arg("inputs"), nb::arg("alignment"), nb::arg("report"), nb::arg("again"),
      nb::arg("options"), nb::arg("progress").none());
  m.def(
      "column_weights",
      [](const std::vector<float>& confidence) {
        api::Alignment alignment;
        alignment.column_confidence = confidence;
        return api::column_weights(alignment);
      },
      nb::arg("confidence"));
}

void declare_distances(nb::module_& m) {
  nb::class_<api::Distances>(m, "Distances", "Distances as the library made them.")
      .def_prop_ro("names",
                   [](const api::Distances& d) {
                     std::vector<nb::bytes> names;
                     for (const std::string& name : d.names) names.push_back(bytes_of(name));
                     return names;
                   })
      .def_prop_ro(
          "values",
          [](nb::handle_t<api::Distances> self) {
            const auto& d = nb::cast<const api::Distances&>(self);
            return view_of<float, 2>(d.values.data(), {d.names.size(), d.names.size()}, self);
          })
      .def_ro("unit", &api::Distances::unit)
      .def_prop_ro("warnings", [](const api::Distances& d) { return bytes_of(d.warnings); })
      .def(
          "format",
          [](const api::Distances& d, const std::string& format) {
            return bytes_of(api::format(d, format));
          },
          nb::arg("format"));
  m.def(
      "distances",
      [](const NamedLetters& records, bool aligned, const std::string& model,
         const std::string& over, bool percent_id, bool count_unknown, const api::Options& options,
         const nb::object& progress) {
        const std::vector<api::Sequence> sequences = sequences_of(records);
        const api::DistanceOptions wanted{aligned, model, over, percent_id, count_unknown};
        return interruptible(options, progress, [&](const api::Options& with) {
          return api::distances(sequences, wanted, with);
        });
      },
      nb::arg("records"), nb::arg("aligned"), nb::arg("model"), nb::arg("over"),
      nb::arg("percent_id"), nb::arg("count_unknown"), nb::arg("options"),
      nb::arg("progress").none());
}

void declare_confidence(nb::module_& m) {
  m.def(
      "confidence",
      [](const NamedLetters& records, const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> rows = sequences_of(records);
        return Aligned(interruptible(options, progress, [&](const api::Options& with) {
          return api::confidence(rows, with);
        }));
      },
      nb::arg("records"), nb::arg("options"), nb::arg("progress").none());
}

void declare_trim(nb::module_& m) {
  using Share = std::optional<double>;
  nb::class_<api::TrimOptions>(m, "TrimOptions", "What trim() removes from an alignment.")
      .def(nb::new_([](const std::string& columns, const nb::bytes& by_row, Share max_row_gaps,
                       Share max_gaps, Share min_confidence, Share min_consistency, Share mask,
                       const std::vector<NamedLetters>& among, bool ends, bool codons,
                       bool keep_names) {
             api::TrimOptions options{columns,        text_of(by_row), max_row_gaps, max_gaps,
                                      min_confidence, min_consistency, mask,         {},
                                      ends,           codons,          keep_names};
             for (const NamedLetters& rows : among) options.among.push_back(sequences_of(rows));
             return options;
           }),
           nb::arg("columns"), nb::arg("by_row"), nb::arg("max_row_gaps").none(),
           nb::arg("max_gaps").none(), nb::arg("min_confidence").none(),
           nb::arg("min_consistency").none(), nb::arg("mask").none(), nb::arg("among"),
           nb::arg("ends"), nb::arg("codons"), nb::arg("keep_names"));
  nb::class_<api::Trimmed>(m, "Trimmed", "An alignment as the library trimmed it.")
      .def_prop_ro("alignment", [](const api::Trimmed& t) { return Aligned(t.alignment); })
      .def_prop_ro("complement", [](const api::Trimmed& t) { return Aligned(t.complement); })
      .def_ro("fates", &api::Trimmed::fates)
      .def_prop_ro("rows",
                   [](const api::Trimmed& t) {
                     std::vector<std::pair<nb::bytes, double>> rows;
                     for (const api::RowWithGaps& row : t.rows) {
                       rows.emplace_back(bytes_of(row.name), row.gaps);
                     }
                     return rows;
                   })
      .def_prop_ro("map", [](const api::Trimmed& t) { return bytes_of(t.map); })
      .def_prop_ro("left_out", [](const api::Trimmed& t) { return bytes_of(t.left_out); });
  m.def(
      "trim",
      [](const NamedLetters& records, const api::TrimOptions& wanted, const api::Options& options,
         const nb::object& progress) {
        const std::vector<api::Sequence> rows = sequences_of(records);
        return interruptible(options, progress, [&](const api::Options& with) {
          return api::trim(rows, wanted, with);
        });
      },
      nb::arg("records"), nb::arg("wanted"), nb::arg("options"), nb::arg("progress").none());
}

using LeftOut = std::vector<std::tuple<nb::bytes, std::size_t, std::size_t, nb::bytes>>;

void declare_combined(nb::module_& m) {
  m.def(
      "add",
      [](const NamedLetters& rows, const NamedLetters& records, bool keep_columns,
         const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> given = sequences_of(rows), more = sequences_of(records);
        api::Added added = interruptible(options, progress, [&](const api::Options& with) {
          return api::add(given, more, keep_columns, with);
        });
        LeftOut left_out;
        for (const api::ResiduesLeftOut& one : added.left_out) {
          left_out.emplace_back(bytes_of(one.name), one.first, one.last, bytes_of(one.letters));
        }
        return std::pair(Aligned(std::move(added.alignment)), std::move(left_out));
      },
      nb::arg("rows"), nb::arg("records"), nb::arg("keep_columns"), nb::arg("options"),
      nb::arg("progress").none());
  m.def(
      "merge",
      [](const std::vector<NamedLetters>& alignments, const api::Options& options,
         const nb::object& progress) {
        std::vector<std::vector<api::Sequence>> given;
        for (const NamedLetters& rows : alignments) given.push_back(sequences_of(rows));
        return Aligned(interruptible(
            options, progress, [&](const api::Options& with) { return api::merge(given, with); }));
      },
      nb::arg("alignments"), nb::arg("options"), nb::arg("progress").none());
}

void declare_codon(nb::module_& m) {
  m.def(
      "codon",
      [](const NamedLetters& records, std::optional<int> code, const std::string& frame,
         bool frameshifts, const std::string& stops, const NamedLetters& protein,
         const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> genes = sequences_of(records);
        const api::CodonOptions wanted{code, frame, frameshifts, stops, sequences_of(protein)};
        api::Codons codons = interruptible(options, progress, [&](const api::Options& with) {
          return api::codon(genes, wanted, with);
        });
        return std::pair(Aligned(std::move(codons.alignment)), Aligned(std::move(codons.protein)));
      },
      nb::arg("records"), nb::arg("code").none(), nb::arg("frame"), nb::arg("frameshifts"),
      nb::arg("stops"), nb::arg("protein"), nb::arg("options"), nb::arg("progress").none());
}

void declare_likelihood(nb::module_& m) {
  nb::class_<api::Likelihood>(m, "Likelihood", "What the library found.")
      .def_ro("total", &api::Likelihood::total)
      .def_ro("sites", &api::Likelihood::sites)
      .def_prop_ro("tree", [](const api::Likelihood& l) { return bytes_of(l.tree); })
      .def_prop_ro("table", [](const api::Likelihood& l) { return bytes_of(l.table); })
      .def_prop_ro("models",
                   [](const api::Likelihood& l) {
                     std::vector<std::tuple<std::string, double, std::size_t, double>> models;
                     for (const api::FittedModel& model : l.models) {
                       models.emplace_back(model.name, model.log_likelihood, model.free_parameters,
                                           model.bic);
                     }
                     return models;
                   })
      .def_prop_ro("warnings", [](const api::Likelihood& l) { return bytes_of(l.warnings); });
  m.def(
      "likelihood",
      [](const NamedLetters& records, const std::string& model, std::optional<int> code,
         const nb::bytes& tree, bool prune, const std::string& fit, bool nni, std::uint32_t spr,
         const std::string& support, const std::string& precision, const api::Options& options,
         const nb::object& progress) {
        const std::vector<api::Sequence> rows = sequences_of(records);
        const api::LikelihoodOptions wanted{model, code, text_of(tree), prune,    fit,
                                            nni,   spr,  support,       precision};
        return interruptible(options, progress, [&](const api::Options& with) {
          return api::likelihood(rows, wanted, with);
        });
      },
      nb::arg("records"), nb::arg("model"), nb::arg("code").none(), nb::arg("tree"),
      nb::arg("prune"), nb::arg("fit"), nb::arg("nni"), nb::arg("spr"), nb::arg("support"),
      nb::arg("precision"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace

void declare_given(nb::module_& m) {
  declare_likelihood(m);
  declare_combined(m);
  declare_codon(m);
  declare_reading(m);
  declare_structures(m);
  declare_compare(m);
  declare_verify(m);
  declare_distances(m);
  declare_confidence(m);
  declare_trim(m);
}

void declare_ensemble(nb::module_& m) {
  nb::class_<api::Ensemble>(m, "Ensemble", "Alternative alignments.")
      .def_prop_ro("replicates",
                   [](const api::Ensemble& e) {
                     std::vector<std::tuple<std::string, Aligned, std::vector<float>, double>> all;
                     for (const api::Replicate& r : e.replicates) {
                       all.emplace_back(r.name, Aligned(r.alignment), r.columns, r.agreement);
                     }
                     return all;
                   })
      .def_ro("dispersion", &api::Ensemble::dispersion)
      .def_ro("best", &api::Ensemble::best)
      .def_prop_ro("efa", [](const api::Ensemble& e) { return bytes_of(api::format(e)); })
      .def_prop_ro("warnings", [](const api::Ensemble& e) { return bytes_of(e.warnings); });
  m.def(
      "ensemble",
      [](const NamedLetters& records, std::size_t replicates, std::uint64_t seed,
         const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> sequences = sequences_of(records);
        return interruptible(options, progress, [&](const api::Options& with) {
          return api::ensemble(sequences, {replicates, seed}, with);
        });
      },
      nb::arg("records"), nb::arg("replicates"), nb::arg("seed"), nb::arg("options"),
      nb::arg("progress").none());
}

}  // namespace accord::python
