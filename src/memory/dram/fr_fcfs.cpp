// First ready, first come, first served (FR-FCFS).

#include "memory/dram/fr_fcfs.h"

#include <cstdint>
#include <memory>
#include <span>

#include "memory/dram/banked_channel_of.h"
#include "memory/dram/banked_dram.h"
#include "memory/partition/partition_description.h"

namespace heddle::memory {

void FrFcfsParameters::declare(config::Declarations& parameters) {
  parameters.number("age_limit", age_limit, {.unit = "DRAM cycles", .least = 0, .most = 100000},
                    "with policy fr-fcfs: a request that has waited this long takes priority over "
                    "all row hits; 0: no limit");
}

void FrFcfsParameters::check(const PartitionDescription& partition) const {
  partition.dram.policy_parameters.get<BankedDramParameters>().check(partition);
}

DramProperties FrFcfsParameters::properties(const DramDescription& dram) const {
  return dram.policy_parameters.get<BankedDramParameters>().properties(dram);
}

namespace {

/// Row hits have priority over other requests, and older requests over younger ones. A row thus
/// stays open while requests for it are queued. There is one exception: once a bank's oldest
/// request has waited for `age_limit`, it has priority over all hits, also those of other banks.
/// Without a limit (0), hits may starve other requests forever.
class FrFcfs {
 public:
  explicit FrFcfs(Cycles age_limit) : age_limit_(age_limit) {}

  BankChoice choose(const BankQueues& queues, std::uint32_t bank, Cycle now) const {
    const std::uint32_t oldest = queues.oldest(bank);
    Cycle overdue_from = Cycle::never();
    if (age_limit_.count != 0) {
      overdue_from = queues[oldest].arrival + age_limit_;
      if (overdue_from <= now)
        return {oldest, priority_of(kOverdue, queues[oldest]), Cycle::never()};
    }
    const std::uint32_t hit = queues.hit(bank);
    if (hit != BankQueues::kNone) return {hit, priority_of(kHit, queues[hit]), overdue_from};
    return {oldest, priority_of(kOther, queues[oldest]), overdue_from};
  }
  static std::uint64_t last_priority_to_transfer(std::span<const BankCandidate>) {
    return kLastPriority;
  }

 private:
  /// The urgency is in the two highest bits of a priority, the order of arrival in the others.
  enum Urgency : std::uint64_t { kOverdue, kHit, kOther };
  static std::uint64_t priority_of(Urgency urgency, const BankQueues::Entry& request) {
    return urgency << 62 | request.order;
  }

  Cycles age_limit_;
};

const DramRegistry::Entry fr_fcfs_entry{
    "fr-fcfs", "banks with open rows; row hits first, then by age",
    [](const FrFcfsParameters& own, const DramDescription& dram) {
      return std::make_unique<BankedChannelOf<FrFcfs>>(
          dram.policy_parameters.get<BankedDramParameters>().channel(dram),
          FrFcfs(Cycles(own.age_limit)));
    }};

}  // namespace
}  // namespace heddle::memory
