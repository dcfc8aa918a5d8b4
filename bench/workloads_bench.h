#pragma once

namespace heddle {

/// One benchmark for each workload.
void register_workloads();
/// False if a workload that was run computed something wrong.
bool workloads_verified();

}  // namespace heddle
