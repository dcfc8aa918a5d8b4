#pragma once

// A kernel that is run to its end, good or bad.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/fault/fault.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {

struct Ended {
  std::optional<exec::FaultKind> fault = std::nullopt;
  std::string message{};               ///< Of the fault; empty: there was none.
  std::vector<std::uint32_t> words{};  ///< That it left; of a fault none.
};

/// Runs the kernel "k" over so many zeroed words, which are called 'out'.
inline Ended run_to_its_end(const std::string& ptx, std::uint32_t blocks, std::uint32_t threads,
                            const Machine& machine, const ChipOptions& options,
                            std::size_t words = 1024) {
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
