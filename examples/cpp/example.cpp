// SPDX-License-Identifier: Apache-2.0
// The library in use: aligns a family, prints it as FASTA, and says on stderr how sure it is, what
// its guide tree and the posteriors of its first pair are, and how it compares with itself.
#include <accord/api/api.hpp>
#include <algorithm>
#include <iostream>

int main() {
  namespace api = accord::api;
  const std::vector<api::Sequence> family = {
      {"a", "MKVLAAGIVGLPTWERNDKK"}, {"b", "MKVLAGIVGPTWERNDK"}, {"c", "MRVLAAGLVGLPTYERDKK"}};
  try {
    api::Options options;
    options.confidence = true;
    const api::Alignment alignment = api::align(family, options);
    for (const api::Sequence& row : alignment.rows) {
      std::cout << '>' << row.name << '\n' << row.letters << '\n';
    }
    const auto cells = api::posteriors(family[0].letters, family[1].letters);
    const auto best = std::max_element(
        cells.begin(), cells.end(), [](auto& a, auto& b) { return a.probability < b.probability; });
    std::cerr << "accord " << api::version() << "\nmean confidence " << alignment.mean_confidence
              << "\ntree " << api::tree(family) << "best pair " << best->i << ' ' << best->j << ' '
              << best->probability << "\nSP "
              << api::score(alignment.rows, alignment.rows).sum_of_pairs << '\n';
    api::align({{"odd", "MK7"}});
  } catch (const accord::Error& error) {
    std::cerr << "as it should be: " << error.what() << '\n';
    return 0;
  }
  return 1;
}
