// Fuzzes descriptions of experiments: any text is either accepted or rejected.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "lab/experiment.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto experiment = heddle::lab::read_experiment(
        {reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.toml");
    // An accepted experiment must have a table, and its claims must refer to the table's columns.
    if (experiment.rows.empty() || experiment.variants.empty()) __builtin_trap();
    for (const heddle::lab::Claim& claim : experiment.claims) {
      const std::string variant = heddle::lab::variant_of(claim.kind);
      if (!variant.empty()) experiment.variant_index(variant);
    }
  } catch (const heddle::InputError&) {
  }
  return 0;
}
