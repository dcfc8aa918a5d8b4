#pragma once

namespace heddle {

/// Registers the benchmarks of timed runs (simulation with timing). Their names begin with
/// "timed/". If a workload computes a wrong result, they set `verified` to false; it must outlive
/// the benchmarks.
void register_timed(bool& verified);

}  // namespace heddle
