#pragma once

// The parts of a chip that have a state in time, and what they count.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/counter_sums.h"
#include "gpu/each_counted.h"
#include "gpu/kernel_run.h"
#include "gpu/machine.h"
#include "memory/partition/partition.h"
#include "sm/sm.h"
#include "trace/trace.h"

namespace heddle::gpu {

class Components {
 public:
  explicit Components(const Machine& machine);

  const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return sms_; }
  const std::vector<std::unique_ptr<memory::Partition>>& partitions() const { return partitions_; }
  /// What multiprocessors count, then what partitions do.
  std::vector<CounterName> counter_names() const;
  /// Each counter's sum over all parts that have it.
  std::vector<std::uint64_t> counters() const;
  EachCounted each_counted() const;
  /// The sums over the multiprocessors of each kind; 0 for what partitions count.
  CountersByComponent counters_by_kind(const std::vector<SmKind>& kinds) const;
  /// How many of the counters are of multiprocessors.
  std::size_t sm_counters() const { return sm_counters_.names().size(); }
  /// They note from now on what they do.
  void trace(trace::Trace& trace);

 private:
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<std::unique_ptr<memory::Partition>> partitions_;
  CounterSums sm_counters_;
  CounterSums partition_counters_;
};

}  // namespace heddle::gpu
