// SPDX-License-Identifier: Apache-2.0
#include "models/parameter_set.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "accord/base/error.hpp"
#include "models/models.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

Json protein_json() { return Json::parse(protein_parameter_text()); }

/// The message of the error for a text; empty if it is read.
std::string complaint_about(const std::string& text) {
  try {
    parse_parameter_set(text, "my.json");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_input);
    CHECK_FALSE(error.hint().empty());
    return error.what();
  }
  return {};
}

/// The same for the built-in protein set with a change.
std::string complaint_after(const std::function<void(Json&)>& change) {
  Json json = protein_json();
  change(json);
  return complaint_about(json.dump());
}

TEST_CASE("parameter sets: the built-in ones are read and tell where they come from") {
  for (ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    const ParameterSet& set = built_in_parameters(type);
    CHECK(set.name == to_string(kind_of(type)));
    CHECK(set.parameters.residues == kind_of(type));
    CHECK((set.parameters.consistency.nearest_for(101) > 0) == (type == ResidueType::protein));
    CHECK(set.source.size() > 40);
    CHECK_FALSE(set.text.empty());
  }
  CHECK(complaint_about(std::string(protein_parameter_text())).empty());
  CHECK(complaint_about(std::string(nucleotide_parameter_text())).empty());
}

TEST_CASE("parameter sets: numbers come out where they belong") {
  Json json = protein_json();
  json["pair_hmm"]["start_match"] = 0.6;
  json["pair_hmm"]["gap_classes"] = {{{"open", 0.012}, {"stay", 0.4}, {"start", 0.05}},
                                     {{"open", 0.008}, {"stay", 0.9}, {"start", 0.15}},
                                     {{"open", 0.0005}, {"stay", 0.915}, {"start", 0}}};
  json["pair_hmm"]["vtml200_share"] = 0.25;
  json["pair_hmm"]["context_share"] = 0.75;
  json["partition_function"]["temperature"] = 4.5;
  json["partition_function"]["context_share"] = 0.5;
  json["gap_openings"]["context_share"] = 0.25;
  json["mixture"] = {{"hmm_share", 0.4}, {"square_share", 0.5}, {"calibration", 0.8}};
  json["consistency"]["large_from"] = 77;
  json["sequence_weights"]["total"] = 5000;
  json["refinement"]["iterations"] = 41;
  const Parameters p = parse_parameter_set(json.dump(), "my.json").parameters;
  REQUIRE(p.hmm.gaps.size() == 3);
  CHECK(p.hmm.gaps[2].open == 0.0005);
  CHECK(p.hmm.gaps[2].end == 0);
  CHECK(p.hmm.gaps[1].end == doctest::Approx(0.15 * (1 - 0.9) / 0.008).epsilon(1e-12));
  CHECK(p.hmm.emissions.vtml200_share == 0.25);
  CHECK(p.hmm.emissions.context_share == 0.75);
  CHECK(p.partition.temperature == 4.5);
  CHECK(p.partition.context_share == 0.5);
  CHECK(p.gap_openings.context_share == 0.25);
  CHECK(p.mixture.hmm_share == 0.4);
  CHECK(p.mixture.square_share == 0.5);
  CHECK(p.mixture.calibration == 0.8);
  CHECK(p.consistency.rounds_for(76) == 2);
  CHECK(p.consistency.rounds_for(77) == 1);
  CHECK(p.weights.total == 5000);
  CHECK(p.refine_iterations == 41);
}

TEST_CASE("parameter sets: nonsense is refused with the key and what is wrong") {
  const auto says = [](const std::string& complaint, const std::string& words) {
    CHECK_MESSAGE(complaint.find(words) != std::string::npos, complaint);
  };
  says(complaint_about(""), "my.json:1: not valid JSON");
  says(complaint_about("{\n\"name\": \"a\","), "my.json:2: not valid JSON");
  says(complaint_about("[]"), "my.json: the file is not an object");
  says(complaint_about("{}"), "my.json: name is missing");
  says(complaint_about("{\"name\": \"a\", \"name\": \"b\"}"), "name stands twice");
  says(complaint_about("{\"name\": 1e999}"), "a number that is too large");
  says(complaint_after([](Json& j) { j["source"] = ""; }), "source is not a text");
  says(complaint_after([](Json& j) { j["residues"] = "dna"; }), "none of protein, nucleotide");
  says(complaint_after([](Json& j) { j["more"] = 1; }), "more is unknown");
  says(complaint_after([](Json& j) { j["mixture"]["power"] = 2; }), "mixture.power is unknown");
  says(complaint_after([](Json& j) { j["sparsity"].erase("cutoff"); }),
       "sparsity.cutoff is missing");
  says(complaint_after([](Json& j) { j.erase("refinement"); }), "refinement is missing");
  says(complaint_after([](Json& j) { j["sparsity"] = 3; }), "sparsity is not an object");
  says(complaint_after([](Json& j) { j["sparsity"]["cutoff"] = "0.01"; }), "is not a number");
  says(complaint_after([](Json& j) { j["sparsity"]["cutoff"] = true; }), "is not a number");
  says(complaint_after([](Json& j) { j["sparsity"]["cutoff"] = 0; }),
       "sparsity.cutoff is 0, not in [0.0001, 0.5]");
  for (const std::string section : {"pair_hmm", "partition_function", "gap_openings"}) {
    says(complaint_after([&](Json& j) { j[section].erase("context_share"); }),
         section + ".context_share is missing");
    says(complaint_after([&](Json& j) { j[section]["context_share"] = -0.1; }),
         section + ".context_share is -0.1, not in [0, 2]");
    says(complaint_after([&](Json& j) { j[section]["context_share"] = 2.5; }),
         section + ".context_share is 2.5, not in [0, 2]");
  }
  says(complaint_after([](Json& j) { j["partition_function"]["temperature"] = -5; }),
       "partition_function.temperature is -5");
  says(complaint_after([](Json& j) { j["consistency"]["rounds"] = 1.5; }),
       "consistency.rounds is 1.5, no whole number");
  says(complaint_after([](Json& j) { j["refinement"]["accept"] = "never"; }),
       "refinement.accept is unknown");
  says(complaint_after([](Json& j) { j["pair_hmm"]["gap_classes"] = Json::array(); }),
       "is not a list of 1 to 3 objects");
  says(complaint_after([](Json& j) {
         Json& classes = j["pair_hmm"]["gap_classes"];
         for (int k = 0; k < 2; ++k) classes.push_back(classes[0]);
       }),
       "is not a list of 1 to 3 objects");
  says(complaint_after([](Json& j) { j["pair_hmm"]["gap_classes"][1]["stay"] = 1; }),
       "pair_hmm.gap_classes[1].stay is 1");
  says(complaint_after([](Json& j) { j["pair_hmm"]["gap_classes"][0]["end"] = 0.1; }),
       "pair_hmm.gap_classes[0].end is unknown");
}

TEST_CASE("parameter sets: what several numbers make of each other is checked") {
  const auto says = [](const std::string& complaint, const std::string& words) {
    CHECK_MESSAGE(complaint.find(words) != std::string::npos, complaint);
  };
  says(complaint_after([](Json& j) {
         for (Json& gap : j["pair_hmm"]["gap_classes"]) gap["open"] = 0.16;
       }),
       "leaves a match with probabilities of the sum 0.96");
  says(complaint_after([](Json& j) { j["pair_hmm"]["start_match"] = 0.9; }), "more than 1");
  says(complaint_after([](Json& j) { j["partition_function"]["temperature"] = 2; }),
       "my.json: the parameters give a pair of residues the weight");
  says(complaint_after([](Json& j) {
         j["residues"] = "nucleotide";
         j["pair_hmm"]["vtml200_share"] = 1;
       }),
       "vtml200_share is of amino acids");
  for (const char* section : {"pair_hmm", "partition_function", "gap_openings"}) {
    Json json = Json::parse(nucleotide_parameter_text());
    json[section]["context_share"] = 0.5;
    says(complaint_about(json.dump()), "my.json: context_share is of amino acids");
  }
}

TEST_CASE("parameter sets: the help names every key") {
  const std::string help = format_parameter_fields();
  const std::function<void(const Json&)> look = [&](const Json& json) {
    for (const auto& item : json.items()) {
      if (json.is_object()) CHECK_MESSAGE(help.find(item.key()) != std::string::npos, item.key());
      if (item.value().is_structured()) look(item.value());
    }
  };
  look(protein_json());
}

TEST_CASE("parameters: intermediates are by pair in families of more than 100 sequences") {
  ConsistencyParams params;
  CHECK(params.nearest_for(100) == 0);
  CHECK(params.nearest_for(101) == 96);
  params.intermediates = 0;  // all
  CHECK(params.nearest_for(101) == 0);
  params.intermediates = 32;
  params.nearest = 0;
  CHECK(params.nearest_for(101) == 0);
}

TEST_CASE("parameters: the self weight follows the size of the family within bounds") {
  ConsistencyParams params;
  params.self_weight = 3;
  for (std::size_t n : {1, 2, 10, 1000, 1000000}) CHECK(params.self_weight_for(n) == 3.0f);
  params.self_weight = 0.7;
  params.self_weight_power = 0.5;
  CHECK(params.self_weight_for(10) == 0.7f);
  CHECK(params.self_weight_for(40) == doctest::Approx(1.4f));
  CHECK(params.self_weight_for(1000000) == 50.0f);
  params.self_weight_power = 2;
  CHECK(params.self_weight_for(1) == 0.05f);
}

}  // namespace
}  // namespace accord
