#pragma once

// What determines a run. Two runs of the same key have the same result, to the bit.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gpu/machine.h"
#include "lab/experiment.h"

namespace heddle::lab {

struct RunInput {
  std::string workload;
  std::string_view ptx;
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
  Registers registers{};
  workload::GridShape grid = workload::GridShape::input;
  std::string_view parameters;           ///< Of the machine, as parameters_of() gives them.
  std::span<const std::string> alone{};  ///< Those of machines that programs are alone on besides.
  std::string_view version;  ///< The sources that it uses, as Sources::version_of() does.
};

/// Every parameter of a machine with its value, a line each. Its name is not in it: it determines
/// nothing.
std::string parameters_of(gpu::Machine machine);
std::string run_key(const RunInput& input);
/// As much of a key as people need.
std::string_view short_key(std::string_view key);

}  // namespace heddle::lab
