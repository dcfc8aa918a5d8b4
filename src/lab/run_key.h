#pragma once

// The key of a run: a digest of everything that determines it. Two runs with the same key have the
// same result, to the bit.

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
  std::string_view parameters;  ///< parameters_of() the machine.
  /// parameters_of() the machines on which the programs also run alone.
  std::span<const std::string> parameters_alone{};
  std::string_view version;  ///< Sources::version_of() the machine.
};

/// Every parameter of a machine with its value, one per line. The machine's name is not included,
/// because it does not affect results.
std::string parameters_of(gpu::Machine machine);
std::string run_key(const RunInput& input);
/// An abbreviated key for messages.
std::string_view short_key(std::string_view key);

}  // namespace heddle::lab
