#pragma once

#include <cstdint>
#include <vector>

#include "base/slot_table.h"
#include "memory/partition/memory_queue.h"
#include "memory/partition/memory_side.h"
#include "memory/partition/partition_trace.h"

namespace heddle::memory {

/// Takes the place of the L2 slice in a partition without one: every request goes to DRAM. An
/// atomic reads its data from DRAM and then writes the result.
class NoL2 final : public MemorySide {
 public:
  NoL2(MemoryQueue& memory, const PartitionTrace& trace) : memory_(memory), trace_(trace) {}

  Outcome access(const Request& request, Cycle now) override {
    if (!memory_.has_space()) {
      if (trace_) trace_.blocked(now, request, "memory_full");
      return Outcome::refused;
    }
    if (trace_) trace_.sent_to_dram(now, request);
    if (request.kind == RequestKind::write) {
      memory_.write(request.address, request.bytes, now);
      return Outcome::served;
    }
    memory_.read(request.address, request.bytes, waiting_.add(request), now);
    return Outcome::waits;
  }
  void on_read_done(std::uint32_t token, Cycle now, std::vector<Request>& served) override {
    const Request& request = waiting_[token];
    if (request.kind == RequestKind::atomic) memory_.write(request.address, request.bytes, now);
    served.push_back(request);
    waiting_.remove(token);
  }
  bool idle() const override { return waiting_.empty(); }

 private:
  MemoryQueue& memory_;
  const PartitionTrace& trace_;
  SlotTable<Request> waiting_;  ///< Their indices are the tokens of reads from memory.
};

}  // namespace heddle::memory
