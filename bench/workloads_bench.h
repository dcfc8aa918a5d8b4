#pragma once

namespace heddle {

/// Registers a benchmark of the functional run (simulation without timing) of each workload. If a
/// workload computes a wrong result, they set `verified` to false; it must outlive the benchmarks.
void register_workloads(bool& verified);

}  // namespace heddle
