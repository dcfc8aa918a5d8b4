// First come, first served within each bank; banks do not wait for one another.

#include <cstdint>
#include <memory>
#include <span>

#include "memory/dram/banked_channel_of.h"
#include "memory/dram/banked_dram.h"

namespace heddle::memory {
namespace {

/// A bank serves its requests in order, even if a later request is for the open row. If several
/// banks can issue a command in a cycle, the bank with the oldest request does. The data of a
/// request may thus be transferred before those of an older request to another bank.
struct FcfsPerBank {
  static BankChoice choose(const BankQueues& queues, std::uint32_t bank, Cycle) {
    return choose_oldest(queues, bank);
  }
  static std::uint64_t last_priority_to_transfer(std::span<const BankCandidate>) {
    return kLastPriority;
  }
};

const DramRegistry::Entry fcfs_per_bank_entry{
    "fcfs-per-bank", "banks with open rows; each bank serves its requests in order",
    [](const BankedDramParameters& own, const DramDescription& dram) {
      return std::make_unique<BankedChannelOf<FcfsPerBank>>(own.channel(dram));
    }};

}  // namespace
}  // namespace heddle::memory
