// SPDX-License-Identifier: Apache-2.0
// In place of api/phylogeny where that is not built.
#include "accord/api/given.hpp"
#include "api/call.hpp"

namespace accord::api {

const OtherDistanceModels* other_distance_models() { return nullptr; }

std::vector<const Stage*> other_stages() { return {}; }

Likelihood likelihood(const std::vector<Sequence>&, const LikelihoodOptions&, const Options&) {
  throw Error(ErrorKind::usage, "the likelihood of an alignment: this build has no phylogeny",
              "build accord with -DACCORD_PHYLOGENY=ON");
}

}  // namespace accord::api
