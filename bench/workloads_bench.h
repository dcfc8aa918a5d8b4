#pragma once

namespace heddle {

/// One benchmark for each workload, without time. One that computes something wrong sets `verified`
/// to false, which must live until they have run.
void register_workloads(bool& verified);

}  // namespace heddle
