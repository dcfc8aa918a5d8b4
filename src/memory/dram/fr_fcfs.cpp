#include "memory/dram/banked_dram.h"

namespace heddle::memory {
namespace {

const DramRegistry::Entry entry{
    "fr-fcfs", "banks with open rows: hits of open rows first, then by age",
    [](const BankedDramParameters& own, const DramDescription& dram) {
      return std::make_unique<BankedChannel>(own.channel(dram, DramScheduler::fr_fcfs));
    }};

}  // namespace
}  // namespace heddle::memory
