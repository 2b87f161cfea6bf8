// SPDX-License-Identifier: Apache-2.0
// The functions of ensemble.hpp, for Python.
#include <cstdint>
#include <tuple>

#include "accord/api/ensemble.hpp"
#include "python/bindings.hpp"

namespace accord::python {

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
