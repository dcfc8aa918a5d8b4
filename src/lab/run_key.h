#pragma once

// The key of a run: a digest of everything that determines the run. Two runs with the same key have
// the same result, to the bit.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gpu/machine.h"
#include "lab/experiment.h"

namespace heddle::lab {

/// Everything that determines the result of a run.
struct RunInput {
  std::string workload;
  std::string_view ptx;
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
  RegisterChoice registers{};
  workload::GridChoice grid = workload::GridChoice::input;
  std::string_view parameters;  ///< The result of parameters_of() for the machine.
  /// The results of parameters_of() for the machines on which the programs also run alone.
  std::span<const std::string> parameters_alone{};
  std::string_view version;  ///< The result of Sources::version_of() for the machine.
};

/// Every parameter of a machine with its value, one per line. The machine's name is left out,
/// because it does not affect results.
std::string parameters_of(gpu::Machine machine);
std::string run_key(const RunInput& input);
/// The first digits of a key, for messages.
std::string_view short_key(std::string_view key);

}  // namespace heddle::lab
