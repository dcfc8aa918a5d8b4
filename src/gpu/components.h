#pragma once

// The components of a chip (multiprocessors and memory partitions), and their counters.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/component_counters.h"
#include "gpu/counter_sums.h"
#include "gpu/kernel_run.h"
#include "gpu/machine.h"
#include "memory/partition/partition.h"
#include "sm/sm.h"
#include "trace/trace.h"

namespace heddle::gpu {

class Components {
 public:
  /// Throws InputError if a component cannot be constructed.
  explicit Components(const Machine& machine);

  const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return sms_; }
  const std::vector<std::unique_ptr<memory::Partition>>& partitions() const { return partitions_; }
  /// The counters of multiprocessors, then those of partitions.
  std::vector<CounterName> counter_names() const;
  /// The sum of each counter over all components that have it.
  std::vector<std::uint64_t> counters() const;
  ComponentCounters counters_by_component() const;
  /// The sums over the multiprocessors of each kind (SmKind); 0 for the counters of partitions.
  CountersByComponent counters_by_kind(const std::vector<SmKind>& kinds) const;
  std::size_t sm_counter_count() const { return sm_counters_.names().size(); }
  /// Makes all components note their events in `trace` from now on.
  void trace(trace::Trace& trace);
  /// Injects a fault into its multiprocessor, or counts the moments on all of them. Throws
  /// InputError if a multiprocessor detects no errors.
  void inject(sm::FaultInjection& injection);

 private:
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<std::unique_ptr<memory::Partition>> partitions_;
  CounterSums sm_counters_;
  CounterSums partition_counters_;
};

}  // namespace heddle::gpu
