// First ready, first come, first served.

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
                    "fr-fcfs alone: a request that has waited so long goes before all hits; 0: no "
                    "limit");
}

void FrFcfsParameters::check(const PartitionDescription& partition) const {
  partition.dram.own.of<BankedDramParameters>().check(partition);
}

DramProperties FrFcfsParameters::properties(const DramDescription& dram) const {
  return dram.own.of<BankedDramParameters>().properties(dram);
}

namespace {

/// Hits of open rows go first, the oldest first; then the oldest request. So a row stays open while
/// requests for it are queued, unless one that conflicts has waited for `age_limit`: that one goes
/// before all hits, of other banks too. 0: hits may go first for ever.
class FrFcfs {
 public:
  explicit FrFcfs(Cycles age_limit) : age_limit_(age_limit) {}

  BankChoice choose(const BankQueues& queues, std::uint32_t bank, Cycle now) const {
    const std::uint32_t oldest = queues.first(bank);
    Cycle overdue_from = Cycle::never();
    if (age_limit_.count != 0) {
      overdue_from = queues[oldest].arrival + age_limit_;
      if (overdue_from <= now) return {oldest, rank(kOverdue, queues[oldest]), Cycle::never()};
    }
    const std::uint32_t hit = queues.hit(bank);
    if (hit != BankQueues::kNone) return {hit, rank(kHit, queues[hit]), overdue_from};
    return {oldest, rank(kOther, queues[oldest]), overdue_from};
  }
  static std::uint64_t last_to_transfer(std::span<const BankCandidate>) { return kLastRank; }

 private:
  enum Urgency : std::uint64_t { kOverdue, kHit, kOther };
  static std::uint64_t rank(Urgency urgency, const BankQueues::Entry& request) {
    return urgency << 62 | request.order;
  }

  Cycles age_limit_;
};

const DramRegistry::Entry fr_fcfs_entry{
    "fr-fcfs", "banks with open rows: hits of open rows first, then by age",
    [](const FrFcfsParameters& own, const DramDescription& dram) {
      return std::make_unique<BankedChannelOf<FrFcfs>>(
          dram.own.of<BankedDramParameters>().channel(dram), FrFcfs(Cycles(own.age_limit)));
    }};

}  // namespace
}  // namespace heddle::memory
