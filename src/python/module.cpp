// SPDX-License-Identifier: Apache-2.0
// The extension module behind the Python package: what api.hpp has, with values that Python knows.
// Texts of users are bytes on this side, since names may hold any; the package makes str of them.
#include <nanobind/stl/variant.h>

#include <tuple>
#include <variant>

#include "python/bindings.hpp"

namespace accord::python {
namespace {

const char* to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::internal:
      return "internal";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::bad_input:
      return "bad_input";
    case ErrorKind::no_input:
      return "no_input";
    case ErrorKind::device_unavailable:
      return "device_unavailable";
    case ErrorKind::device_failed:
      return "device_failed";
    case ErrorKind::cannot_create:
      return "cannot_create";
    case ErrorKind::write_failed:
      return "write_failed";
    case ErrorKind::closed_pipe:
      return "closed_pipe";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::batch_incomplete:
      return "batch_incomplete";
  }
  return "internal";
}

/// Raises what the package has for the error.
void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    const nb::object raised =
        nb::module_::import_("accord._errors")
            .attr("error_of")(to_string(error.kind()), nb::bytes(error.what()),
                              nb::bytes(error.hint().c_str()));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
  }
}

const char* to_string(api::Letters letters) {
  switch (letters) {
    case api::Letters::dna:
      return "dna";
    case api::Letters::rna:
      return "rna";
    case api::Letters::protein:
    case api::Letters::detect:
      break;
  }
  return "protein";
}

void declare_options(nb::module_& m) {
  nb::class_<api::Options>(m, "Options", "How sequences are aligned.")
      .def(nb::new_([](const std::variant<std::string, api::OpenDevice>& device, int threads,
                       bool confidence, std::size_t memory,
                       const std::vector<std::pair<std::string, nb::bytes>>& named) {
             api::Options options;
             if (const auto* name = std::get_if<std::string>(&device)) {
               options.device = *name;
             } else {
               options.open_device = std::get<api::OpenDevice>(device);
             }
             options.threads = threads;
             options.confidence = confidence;
             options.memory = memory;
             for (const auto& [name, text] : named) options.named[name] = text_of(text);
             return options;
           }),
           nb::arg("device"), nb::arg("threads"), nb::arg("confidence"), nb::arg("memory"),
           nb::arg("named"));
  m.def("options", [] {
    using Words = std::vector<std::string>;
    using Info = std::tuple<std::string, std::string, std::string, Words, std::string, std::string,
                            std::string, std::vector<std::pair<std::string, std::string>>>;
    std::vector<Info> infos;
    for (const api::OptionInfo& info : api::options()) {
      infos.emplace_back(info.name, info.group, info.type, info.words, info.standard, info.help,
                         info.example, info.needs);
    }
    return infos;
  });
}

void declare_device(nb::module_& m) {
  nb::class_<api::OpenDevice>(m, "OpenDevice", "A device that is open for several calls.")
      .def(nb::new_([](const std::string& device, int threads) {
             return interruptible({}, nb::none(), [&](const api::Options&) {
               return api::OpenDevice(device, threads);
             });
           }),
           nb::arg("device"), nb::arg("threads"))
      .def_prop_ro("warnings", [](const api::OpenDevice& d) { return bytes_of(d.warnings()); });
}

void declare_alignment(nb::module_& m) {
  nb::class_<Aligned>(m, "Aligned", "An alignment as the library made it.")
      .def_prop_ro("type", [](const Aligned& a) { return to_string(a.alignment.letters); })
      .def_prop_ro("names",
                   [](const Aligned& a) {
                     std::vector<nb::bytes> names;
                     for (const auto& row : a.alignment.rows) names.push_back(bytes_of(row.name));
                     return names;
                   })
      .def_prop_ro("letters",
                   [](nb::handle_t<Aligned> self) {
                     const auto& a = nb::cast<const Aligned&>(self);
                     return view_of<std::uint8_t, 2>(
                         reinterpret_cast<const std::uint8_t*>(a.letters.data()),
                         {a.rows(), a.columns()}, self);
                   })
      .def_prop_ro("column_confidence",
                   [](nb::handle_t<Aligned> self) {
                     const auto& values =
                         nb::cast<const Aligned&>(self).alignment.column_confidence;
                     return view_of<float, 1>(values.data(), {values.size()}, self);
                   })
      .def_prop_ro("residue_confidence",
                   [](nb::handle_t<Aligned> self) {
                     const auto& a = nb::cast<const Aligned&>(self);
                     const auto& values = a.alignment.residue_confidence;
                     return view_of<float, 2>(values.data(),
                                              {values.empty() ? 0 : a.rows(), a.columns()}, self);
                   })
      .def_prop_ro("mean_confidence", [](const Aligned& a) { return a.alignment.mean_confidence; })
      .def_prop_ro("column_lddt",
                   [](nb::handle_t<Aligned> self) {
                     const auto& values = nb::cast<const Aligned&>(self).alignment.column_lddt;
                     return view_of<float, 1>(values.data(), {values.size()}, self);
                   })
      .def_prop_ro("mean_lddt", [](const Aligned& a) { return a.alignment.mean_lddt; })
      .def_prop_ro("tracks", [](const Aligned& a) { return a.alignment.tracks; })
      .def_prop_ro("tree", [](const Aligned& a) { return bytes_of(a.alignment.tree); })
      .def_prop_ro("report", [](const Aligned& a) { return bytes_of(a.alignment.report); })
      .def_prop_ro("warnings", [](const Aligned& a) { return bytes_of(a.alignment.warnings); })
      .def(
          "html",
          [](const Aligned& a, const nb::bytes& title) {
            return bytes_of(api::html(a.alignment, text_of(title)));
          },
          nb::arg("title"))
      .def(
          "format",
          [](const Aligned& a, const std::string& format) {
            return bytes_of(api::format(a.alignment, format));
          },
          nb::arg("format"));
}

}  // namespace
}  // namespace accord::python

NB_MODULE(_accord, m) {
  using namespace accord;
  using namespace accord::python;
  nb::register_exception_translator(translate);
  declare_device(m);
  declare_options(m);
  declare_alignment(m);
  m.def("version", &api::version);
  m.def(
      "align",
      [](const NamedLetters& records, const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> sequences = sequences_of(records);
        return Aligned(interruptible(options, progress, [&](const api::Options& with) {
          return api::align(sequences, with);
        }));
      },
      nb::arg("records"), nb::arg("options"), nb::arg("progress").none());
  m.def(
      "align_files",
      [](const std::vector<nb::bytes>& paths, const api::Options& options,
         const nb::object& progress) {
        std::vector<std::string> files;
        for (const nb::bytes& path : paths) files.push_back(text_of(path));
        return Aligned(interruptible(options, progress, [&](const api::Options& with) {
          return api::align_files(files, with);
        }));
      },
      nb::arg("paths"), nb::arg("options"), nb::arg("progress").none());
  m.def(
      "tree",
      [](const NamedLetters& records, const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> sequences = sequences_of(records);
        return bytes_of(interruptible(options, progress, [&](const api::Options& with) {
          return api::tree(sequences, with);
        }));
      },
      nb::arg("records"), nb::arg("options"), nb::arg("progress").none());
  m.def(
      "posteriors",
      [](const std::string& x, const std::string& y, const api::Options& options,
         const nb::object& progress) {
        std::vector<std::uint32_t> i, j;
        std::vector<float> probability;
        for (const api::PosteriorCell& cell :
             interruptible(options, progress,
                           [&](const api::Options& with) { return api::posteriors(x, y, with); })) {
          i.push_back(cell.i);
          j.push_back(cell.j);
          probability.push_back(cell.probability);
        }
        return std::tuple(std::move(i), std::move(j), std::move(probability));
      },
      nb::arg("x"), nb::arg("y"), nb::arg("options"), nb::arg("progress").none());
  declare_given(m);
  declare_ensemble(m);
}
