#pragma once

// The parts of a chip that have a state in time, and what they count.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/counters.h"
#include "gpu/kernel_run.h"
#include "gpu/machine.h"
#include "memory/partition/partition.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Components {
 public:
  explicit Components(const Machine& machine);

  const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return sms_; }
  const std::vector<std::unique_ptr<memory::Partition>>& partitions() const { return partitions_; }
  const std::vector<CounterName>& counter_names() const { return names_; }
  /// Each counter's sum over all parts that have it.
  std::vector<std::uint64_t> counters() const;

 private:
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<std::unique_ptr<memory::Partition>> partitions_;
  CounterList sm_counters_;
  CounterList partition_counters_;
  std::vector<CounterName> names_;
};

}  // namespace heddle::gpu
