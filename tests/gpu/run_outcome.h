#pragma once

// Runs a kernel to completion or to a fault.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/fault/fault.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {

struct RunOutcome {
  std::optional<exec::FaultKind> fault = std::nullopt;
  std::string message{};               ///< The fault's message; empty without a fault.
  std::vector<std::uint32_t> words{};  ///< The array's words; empty after a fault.
};

/// Runs the kernel "k" over an array named 'out' of `words` zeroed words.
inline RunOutcome run_to_completion(const std::string& ptx, std::uint32_t blocks,
                                    std::uint32_t threads, const Machine& machine,
                                    const ChipOptions& options, std::size_t words = 1024) {
  ChipRun run(ptx, machine, options);
  const device::DevicePointer out = run.device().upload(std::vector<std::uint32_t>(words), "out");
  try {
    run.launch("k", {blocks}, {threads}, out);
  } catch (const exec::SimulatedFault& fault) {
    return {.fault = fault.kind(), .message = fault.what()};
  }
  return {.words = run.download<std::uint32_t>(out, words)};
}

}  // namespace heddle::gpu::test
