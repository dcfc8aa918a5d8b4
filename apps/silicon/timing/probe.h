#pragma once

// A probe is a small kernel that measures one cost on a GPU: the latency or throughput of an
// instruction, the latency of a load from a level of memory, or the bandwidth of a level. It reads
// the multiprocessor's clock before and after many repetitions.

#include <cstdint>
#include <string>
#include <vector>

#include "workload/gpu.h"

namespace heddle::silicon {

/// What a probe measured.
struct Probe {
  std::string name;
  /// The unit of `value`: "cycles", "bytes a cycle", for example.
  std::string unit;
  double value = 0;
};

/// A PTX module with all kernels that the probes launch.
std::string probe_module();

std::vector<Probe> instruction_probes(workload::Gpu& gpu);
std::vector<Probe> latency_probes(workload::Gpu& gpu);
std::vector<Probe> bandwidth_probes(workload::Gpu& gpu, std::uint32_t multiprocessors);

}  // namespace heddle::silicon
