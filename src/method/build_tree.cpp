// SPDX-License-Identifier: Apache-2.0
#include "method/build_tree.hpp"

#include "io/files/text_input.hpp"
#include "io/trees/newick.hpp"
#include "method/upgma.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"

namespace accord {

GuideTree tree_of_file(const SequenceSet& set, const AlignSettings& settings, NewickNotes* notes) {
  // Average linkage may have made the tree of a file. Such a tree gets the weights of average
  // linkage.
  return with_heights(in_single_precision((settings.prunes ? parse_newick_pruned : parse_newick)(
      read_text(settings.tree_file), input_label(settings.tree_file), set, NewickLengths::any,
      notes)));
}

GuideTree build_tree(const SequenceSet& set, const DistanceMatrix& distances,
                     const AlignSettings& settings, Scheduler& scheduler, NewickNotes* notes) {
  switch (settings.tree) {
    case TreeMethod::upgma:
      return upgma(distances);
    case TreeMethod::neighbor_joining:
      return request_neighbor_joining(distances, scheduler);
    case TreeMethod::file:
      return tree_of_file(set, settings, notes);
  }
  return upgma(distances);
}

}  // namespace accord
