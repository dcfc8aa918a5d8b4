// First come, first served in each bank, which waits for no other bank.

#include <cstdint>
#include <memory>
#include <span>

#include "memory/dram/banked_channel_of.h"
#include "memory/dram/banked_dram.h"

namespace heddle::memory {
namespace {

/// A bank serves its requests in order, whichever of them find their row open. Of the banks that
/// have a command in a cycle, the one whose request is the oldest goes; so data of a later request
/// may pass before those of an older one of another bank.
struct FcfsPerBank {
  static BankChoice choose(const BankQueues& queues, std::uint32_t bank, Cycle) {
    return choose_oldest(queues, bank);
  }
  static std::uint64_t last_to_transfer(std::span<const BankCandidate>) { return kLastRank; }
};

const DramRegistry::Entry fcfs_per_bank_entry{
    "fcfs-per-bank", "banks with open rows, each of which serves its requests in order",
    [](const BankedDramParameters& own, const DramDescription& dram) {
      return std::make_unique<BankedChannelOf<FcfsPerBank>>(own.channel(dram));
    }};

}  // namespace
}  // namespace heddle::memory
