// First come, first served (FCFS).

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "memory/dram/banked_channel_of.h"
#include "memory/dram/banked_dram.h"

namespace heddle::memory {
namespace {

/// Data are transferred in the order of the requests. Meanwhile, each bank already opens the row of
/// its own oldest request.
struct Fcfs {
  static BankChoice choose(const BankQueues& queues, std::uint32_t bank, Cycle) {
    return choose_oldest(queues, bank);
  }
  /// Only the oldest request of the whole channel may issue its column command.
  static std::uint64_t last_priority_to_transfer(std::span<const BankCandidate> candidates) {
    std::uint64_t oldest = kLastPriority;
    for (const BankCandidate& candidate : candidates) oldest = std::min(oldest, candidate.priority);
    return oldest;
  }
};

const DramRegistry::Entry fcfs_entry{
    "fcfs", "banks with open rows; data are transferred in the order of the requests",
    [](const BankedDramParameters& own, const DramDescription& dram) {
      return std::make_unique<BankedChannelOf<Fcfs>>(own.channel(dram));
    }};

}  // namespace
}  // namespace heddle::memory
