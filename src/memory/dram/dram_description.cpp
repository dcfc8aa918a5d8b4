#include "memory/dram/dram_description.h"

#include "memory/dram/dram_channel.h"

namespace heddle::memory {

void DramDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, DramRegistry::names(),
                    "how memory is timed: a fixed latency, or how requests to banks are scheduled");
  parameters.number("bandwidth_bytes", bandwidth_bytes, {.unit = "B", .least = 1},
                    "that the channel's data bus carries in bandwidth_cycles cycles");
  parameters.number("bandwidth_cycles", bandwidth_cycles,
                    {.unit = "DRAM cycles", .least = 1, .most = 100000},
                    "in which the channel's data bus carries bandwidth_bytes bytes");
  parameters.number("transaction_bytes", transaction_bytes,
                    {.unit = "B", .least = 1, .most = 65536},
                    "size of a transaction on the data bus, a power of two; transfers are rounded "
                    "up to it");
  parameters.number("queue_entries", queue_entries, {.least = 1, .most = 65536},
                    "requests that the channel holds until their column command or, with a fixed "
                    "latency, until they are done");
  parameters.number("overhead", overhead, {.unit = "DRAM cycles", .least = 0, .most = 100000},
                    "added to each response's latency for the controller and the path to the L2");
  DramRegistry::declare(*this, parameters);
}

void DramDescription::check(const PartitionDescription& partition) const {
  DramRegistry::check(policy, *this, partition);
}

DramProperties DramDescription::properties() const {
  return DramRegistry::properties(policy, *this);
}

std::unique_ptr<DramChannel> make_channel(const DramDescription& description) {
  return DramRegistry::make(description.policy, description, description);
}

}  // namespace heddle::memory
