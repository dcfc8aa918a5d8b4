#include "memory/dram/banked_dram.h"

namespace heddle::memory {
namespace {

const DramRegistry::Entry entry{
    "fcfs", "banks with open rows, whose data pass in the order of the requests",
    [](const BankedDramParameters& own, const DramDescription& dram) {
      return std::make_unique<BankedChannel>(own.channel(dram, DramScheduler::fcfs));
    }};

}  // namespace
}  // namespace heddle::memory
