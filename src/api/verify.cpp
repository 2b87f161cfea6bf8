// SPDX-License-Identifier: Apache-2.0
#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "io/formats/column_weights.hpp"
#include "run/verify_run.hpp"

namespace accord::api {
namespace {

run::Verification verified(const run::StatedAlignment& stated, bool again, const Options& options) {
  if (!again) return run::verify(stated, nullptr);
  CallRun run(options);
  const RunContext context = run.context();
  return run::verify(stated, &context);
}

}  // namespace

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
