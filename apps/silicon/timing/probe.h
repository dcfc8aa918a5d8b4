#pragma once

// Small kernels that measure what one thing costs a GPU: the latency of an instruction, how many a
// multiprocessor takes in a cycle, how long a load takes from each level of memory, how many bytes
// a level gives. Each reads the multiprocessor's clock around many of the same.

#include <cstdint>
#include <string>
#include <vector>

#include "workload/gpu.h"

namespace heddle::silicon {

struct Probe {
  std::string name;
  /// "cycles", or "bytes a cycle" and the like: what `value` counts.
  std::string unit;
  double value = 0;
};

/// PTX of every kernel that the probes launch.
std::string probe_module();

std::vector<Probe> instruction_probes(workload::Gpu& gpu);
std::vector<Probe> latency_probes(workload::Gpu& gpu);
std::vector<Probe> bandwidth_probes(workload::Gpu& gpu, std::uint32_t multiprocessors);

}  // namespace heddle::silicon
