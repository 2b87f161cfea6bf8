// SPDX-License-Identifier: Apache-2.0
#include "models/residue_contexts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "support/sequences.hpp"

namespace accord {
namespace {

using Json = nlohmann::json;
using testing::Codes;

constexpr std::size_t kLetters = 22;
constexpr std::uint8_t kOutside = 21;

Json zeros(std::size_t count) { return std::vector<int>(count, 0); }

/// A net of radius 1 with one hidden value h, not beyond 10, that is
///
///   1 + (left: outside 5, A 1, unknown -4) + (itself: A 3, R 100, N -100, unknown -6)
///     + (right: outside 2, A 4, unknown 1)
///
/// and with the scores 0, h - 4, -h - 4, 2 h - 12, -2 h - 12, 0, 3 h - 23, -3 h - 23, so that the
/// class is 4 up to -9, 2 up to -5, 0 up to 4, 1 up to 8, and 3 beyond; 5 is always too late, and 6
/// and 7 would need an h beyond 11.
Json small_net() {
  Json window = zeros(3 * kLetters);
  window[kOutside] = 5;
  window[0] = 1;
  window[20] = -4;
  window[kLetters + 0] = 3;
  window[kLetters + 1] = 100;
  window[kLetters + 2] = -100;
  window[kLetters + 20] = -6;
  window[2 * kLetters + kOutside] = 2;
  window[2 * kLetters + 0] = 4;
  window[2 * kLetters + 20] = 1;
  Json log_odds = Json::array();
  for (int c = 0; c < ACCORD_CONTEXTS; ++c) {
    log_odds.push_back(Json::array());
    for (int d = 0; d < ACCORD_CONTEXTS; ++d) log_odds[c].push_back(c * d / 32.0 - (c + d) / 8.0);
  }
  Json of_letters = Json::array({Json::array(), Json::array()});
  for (int k = 0; k < 20; ++k) {
    of_letters[0].push_back(k / 8.0);
    of_letters[1].push_back(-k / 16.0);
  }
  return {{"radius", 1},
          {"hidden", 1},
          {"limit", 10},
          {"window", window},
          {"bias", Json::array({1})},
          {"classes", {0, 1, -1, 2, -2, 0, 3, -3}},
          {"class_bias", {0, -4, -4, -12, -12, 0, -23, -23}},
          {"log_odds", log_odds},
          {"gap_letters", of_letters},
          {"gap_classes", {{0, 1, 2, 3, 4, 5, -4, -5}, {1, 1, 1, 1, -1, -1, -1, 0.5}}}};
}

CodedSequences coded(const std::vector<Codes>& sequences) {
  CodedSequences all;
  for (const Codes& codes : sequences) all.append(codes);
  return all;
}

/// The classes of the residues of one sequence.
std::vector<int> classes_of(const ResidueContexts& contexts, const Codes& codes) {
  const CodedSequences with_contexts = contexts.add_to(coded({codes}));
  std::vector<int> classes;
  for (const std::uint8_t code : with_contexts.codes(0)) classes.push_back(code / 32);
  return classes;
}

TEST_CASE("contexts: a small net, worked out by hand") {
  const ResidueContexts net = ResidueContexts::parse(small_net().dump(), "small net");
  using Classes = std::vector<int>;
  const auto classes = [&](const Codes& codes) { return classes_of(net, codes); };
  CHECK(classes({}) == Classes{});
  // Ends: what is outside counts. h = 1 + 5 - 0 + 2 = 8, a tie of 1 and 3; 6, 1, 3.
  CHECK(classes({4}) == Classes{1});
  CHECK(classes({4, 4, 4}) == Classes{1, 0, 0});
  // 11, which is 10; 13, which is 10, 9, 7.
  CHECK(classes({0}) == Classes{3});
  CHECK(classes({0, 0, 0}) == Classes{3, 3, 1});
  // 10; 4, a tie of 0, 1 and 5; 4.
  CHECK(classes({4, 0, 4}) == Classes{3, 0, 0});
  // 108 and -92 are 10 and -10; the neighbours do not see them.
  CHECK(classes({1}) == Classes{3});
  CHECK(classes({2}) == Classes{4});
  CHECK(classes({4, 1, 2, 4}) == Classes{1, 3, 4, 0});
  // Unknown residues, whatever they may stand for: 7, -5, -1; 1, -9, -1.
  for (std::uint8_t unknown = 20; unknown < symbol_count(ResidueType::protein); ++unknown) {
    CHECK(classes({4, unknown, 4}) == Classes{1, 2, 0});
    CHECK(classes({unknown, unknown, 4}) == Classes{0, 4, 0});
  }
  CHECK(net.log_odds(2, 4) == 0.25 - 0.75);
  CHECK(net.log_odds(7, 0) == -0.875);
}

/// The classes of a sequence straight from the formula, in 64 bits.
std::vector<int> slow_classes(const Json& net, const Codes& codes) {
  const std::int64_t radius = net["radius"], hidden = net["hidden"], limit = net["limit"];
  const auto length = static_cast<std::int64_t>(codes.size());
  const auto letter = [&](std::int64_t at) -> std::int64_t {
    if (at < 0 || at >= length) return kOutside;
    return codes[static_cast<std::size_t>(at)] < 20 ? codes[static_cast<std::size_t>(at)] : 20;
  };
  const auto entry = [&](const char* key, std::int64_t at) {
    return net[key][static_cast<std::size_t>(at)].get<std::int64_t>();
  };
  std::vector<int> classes;
  for (std::int64_t i = 0; i < length; ++i) {
    std::vector<std::int64_t> score;
    for (std::int64_t c = 0; c < ACCORD_CONTEXTS; ++c) score.push_back(entry("class_bias", c));
    for (std::int64_t k = 0; k < hidden; ++k) {
      std::int64_t a = entry("bias", k);
      for (std::int64_t o = -radius; o <= radius; ++o) {
        const auto row = (o + radius) * static_cast<std::int64_t>(kLetters) + letter(i + o);
        a += entry("window", row * hidden + k);
      }
      const std::int64_t h = std::max(-limit, std::min(limit, a));
      for (std::int64_t c = 0; c < ACCORD_CONTEXTS; ++c) {
        score[static_cast<std::size_t>(c)] += entry("classes", c * hidden + k) * h;
      }
    }
    classes.push_back(static_cast<int>(std::ranges::max_element(score) - score.begin()));
  }
  return classes;
}

TEST_CASE("contexts: the built-in ones are those of the formula") {
  const Json net = Json::parse(protein_contexts_text());
  testing::SequenceGenerator random(51);
  std::set<int> seen;
  for (const std::size_t length : {0, 1, 5, 300}) {
    CAPTURE(length);
    const Codes plain = random.background(length);
    for (const Codes& codes : {plain, random.with_ambiguity(plain, 0.2)}) {
      const std::vector<int> classes = classes_of(protein_contexts(), codes);
      CHECK(classes == slow_classes(net, codes));
      seen.insert(classes.begin(), classes.end());
    }
  }
  CHECK(seen.size() > 2);
  for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
    for (std::size_t d = 0; d < ACCORD_CONTEXTS; ++d) {
      CHECK(protein_contexts().log_odds(c, d) == net["log_odds"][c][d].get<double>());
    }
  }
}

TEST_CASE("contexts: factors of opening a gap are those of letters and of classes") {
  const ResidueContexts contexts = ResidueContexts::parse(small_net().dump(), "small net");
  CHECK(contexts.log_opening(0, 8) == 1);
  CHECK(contexts.log_opening(1, 8) == -0.5);
  CHECK(contexts.log_opening(0, 20) == 0);  // a letter that may be several residues
  CHECK(contexts.log_opening(1, ACCORD_BORDER_SYMBOL) == 0);
  CHECK(contexts.log_opening(0, ACCORD_SYMBOLS + 6) == -4);
  CHECK(contexts.log_opening(1, ACCORD_SYMBOLS + 7) == 0.5);
}

/// A net with numbers as large as they may be, their signs at random.
Json extreme_net(std::size_t radius, std::size_t hidden, std::uint64_t seed) {
  testing::SequenceGenerator random(seed);
  const auto numbers = [&](std::size_t count, int size) {
    Json list = Json::array();
    for (std::size_t k = 0; k < count; ++k) list.push_back(random.below(2) == 0 ? -size : size);
    return list;
  };
  Json net = small_net();
  net["radius"] = radius;
  net["hidden"] = hidden;
  net["limit"] = 1024;
  net["window"] = numbers((2 * radius + 1) * kLetters * hidden, 32767);
  net["bias"] = numbers(hidden, 1 << 29);
  net["classes"] = numbers(ACCORD_CONTEXTS * hidden, 32767);
  net["class_bias"] = numbers(ACCORD_CONTEXTS, 1 << 29);
  return net;
}

TEST_CASE("contexts: the largest numbers do not overflow") {
  testing::SequenceGenerator random(52);
  const Codes codes = random.background(40);
  // 48 hidden values are the most at this limit. They have the signs of their biases, and so have
  // all weights of class 3, which has the largest sum that there may be, and class 5 the smallest.
  for (const std::size_t radius : {0, 3, 32}) {
    CAPTURE(radius);
    Json net = extreme_net(radius, 48, 53 + radius);
    for (std::size_t k = 0; k < 48; ++k) {
      const int sign = net["bias"][k].get<int>() > 0 ? 1 : -1;
      net["classes"][3 * 48 + k] = 32767 * sign;
      net["classes"][5 * 48 + k] = -32767 * sign;
    }
    net["class_bias"][3] = 1 << 29;
    net["class_bias"][5] = -(1 << 29);
    const ResidueContexts contexts = ResidueContexts::parse(net.dump(), "extreme net");
    CHECK(classes_of(contexts, codes) == slow_classes(net, codes));
    CHECK(classes_of(contexts, codes) == std::vector<int>(codes.size(), 3));
  }
}

TEST_CASE("contexts: sequences with contexts keep their order, lengths and letters") {
  testing::SequenceGenerator random(54);
  std::vector<Codes> sequences;
  for (const std::size_t length : {70, 0, 1, 33, 0}) {
    sequences.push_back(random.with_ambiguity(random.background(length), 0.1));
  }
  const CodedSequences with_contexts = protein_contexts().add_to(coded(sequences));
  REQUIRE(with_contexts.size() == sequences.size());
  for (std::size_t x = 0; x < sequences.size(); ++x) {
    REQUIRE(with_contexts.length(x) == sequences[x].size());
    for (std::size_t i = 0; i < sequences[x].size(); ++i) {
      CHECK(with_contexts.codes(x)[i] % 32 == sequences[x][i]);
    }
    // Each for itself, whatever stands beside it.
    const CodedSequences alone = protein_contexts().add_to(coded({sequences[x]}));
    CHECK(std::ranges::equal(alone.codes(0), with_contexts.codes(x)));
  }
  CHECK(protein_contexts().add_to(CodedSequences()).size() == 0);
}

/// What is said of the small net after a change; nothing if it is read.
std::string complaint_after(const std::function<void(Json&)>& change) {
  Json net = small_net();
  change(net);
  try {
    ResidueContexts::parse(net.dump(), "my.json");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_input);
    CHECK_FALSE(error.hint().empty());
    return error.what();
  }
  return {};
}

/// Checks that a change is complained about, with the key and what is wrong with it.
void refuses(const std::string& key, const std::string& problem,
             const std::function<void(Json&)>& change) {
  const std::string complaint = complaint_after(change);
  CHECK_MESSAGE(complaint.find("my.json: " + key + " " + problem) != std::string::npos, key, ": ",
                complaint);
}

TEST_CASE("contexts: a file that is none is refused") {
  CHECK(complaint_after([](Json&) {}).empty());
  for (const std::string text : {"", "{\"radius\": 1", "[1, 2]", "3"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(ResidueContexts::parse(text, "my.json"),
                         doctest::Contains("my.json: the file is not a JSON object"), Error);
  }
  for (const std::string key : {"radius", "hidden", "limit", "window", "bias", "classes",
                                "class_bias", "log_odds", "gap_letters", "gap_classes"}) {
    refuses(key, "is missing", [&](Json& net) { net.erase(key); });
    refuses(key, "is", [&](Json& net) { net[key] = "7"; });
  }
}

TEST_CASE("contexts: numbers that are none, or out of range, are refused with the key") {
  const std::string kNone = "is, or has, no integer from ";
  struct Range {
    std::string key;
    std::int64_t least, most;
  };
  const std::vector<Range> single = {{"radius", 0, 32}, {"hidden", 1, 64}, {"limit", 1, 1024}};
  for (const Range& range : single) {
    for (const Json& value : {Json(range.least - 1), Json(range.most + 1), Json(1.0), Json(true),
                              Json(18446744073709551615u), Json(-9223372036854775807)}) {
      refuses(range.key, kNone, [&](Json& net) { net[range.key] = value; });
    }
  }
  const std::vector<Range> lists = {{"window", -32767, 32767},
                                    {"bias", -(1 << 29), 1 << 29},
                                    {"classes", -32767, 32767},
                                    {"class_bias", -(1 << 29), 1 << 29}};
  for (const Range& range : lists) {
    for (const Json& value : {Json(range.least - 1), Json(range.most + 1), Json(0.0), Json("1"),
                              Json(nullptr), Json(18446744073709551615u)}) {
      refuses(range.key, kNone, [&](Json& net) { net[range.key].back() = value; });
    }
    CHECK(complaint_after([&](Json& net) { net[range.key].back() = range.most; }).empty());
    CHECK(complaint_after([&](Json& net) { net[range.key].back() = range.least; }).empty());
  }
}

TEST_CASE("contexts: factors of opening a gap that are not two lists of numbers are refused") {
  for (const std::string key : {"gap_letters", "gap_classes"}) {
    const std::string problem =
        "is not two lists of " + std::string(key == "gap_letters" ? "20" : "8") + " numbers";
    refuses(key, problem, [&](Json& net) { net[key].push_back(net[key][0]); });
    refuses(key, problem, [&](Json& net) { net[key][1].push_back(0); });
    refuses(key, problem, [&](Json& net) { net[key][0].erase(0); });
    refuses(key, problem, [&](Json& net) { net[key][0] = 1; });
    for (const Json& value : {Json("0"), Json(nullptr), Json(5.001), Json(-5.001)}) {
      refuses(key, problem, [&](Json& net) { net[key][1].back() = value; });
    }
  }
}

TEST_CASE("contexts: lists of other lengths are refused with the key") {
  for (const std::string key : {"window", "bias", "classes", "class_bias"}) {
    const std::size_t count = small_net()[key].size();
    const std::string problem = "is not a list of " + std::to_string(count) + " integers";
    refuses(key, problem, [&](Json& net) { net[key].push_back(0); });
    refuses(key, problem, [&](Json& net) { net[key].erase(count - 1); });
    refuses(key, problem, [&](Json& net) { net[key] = Json::object(); });
  }
  // The lengths follow from the radius and from the number of hidden values.
  refuses("window", "is not a list of 110 integers", [](Json& net) { net["radius"] = 2; });
  refuses("window", "is not a list of 132 integers", [](Json& net) { net["hidden"] = 2; });
}

TEST_CASE("contexts: log odds that are no symmetric table are refused") {
  const std::string kShape = "is not a table of 8 rows of as many numbers from -5 to 5";
  refuses("log_odds", kShape, [](Json& net) { net["log_odds"].erase(7); });
  refuses("log_odds", kShape, [](Json& net) { net["log_odds"].push_back(zeros(8)); });
  refuses("log_odds", kShape, [](Json& net) { net["log_odds"][7].push_back(0); });
  refuses("log_odds", kShape, [](Json& net) { net["log_odds"][7] = 0; });
  for (const Json& value : {Json("0"), Json(5.5), Json(-5.5), Json(1e300), Json(nullptr)}) {
    refuses("log_odds", kShape, [&](Json& net) { net["log_odds"][7][7] = value; });
  }
  refuses("log_odds", "is not symmetric", [](Json& net) { net["log_odds"][7][6] = 0.5; });
  refuses("log_odds", "is not symmetric", [](Json& net) { net["log_odds"][0][7] = 0.5; });
}

TEST_CASE("contexts: sums that could overflow are refused") {
  refuses("limit", "is too large", [](Json& net) { net = extreme_net(0, 49, 1); });
  CHECK(complaint_after([](Json& net) { net = extreme_net(0, 48, 1); }).empty());
  CHECK(complaint_after([](Json& net) {
          net = extreme_net(0, 64, 1);
          net["limit"] = 768;
        }).empty());
}

}  // namespace
}  // namespace accord
