#pragma once

namespace heddle {

/// Registers a benchmark of the functional run of each workload. A wrong result sets `verified` to
/// false, which must outlive the benchmarks.
void register_workloads(bool& verified);

}  // namespace heddle
