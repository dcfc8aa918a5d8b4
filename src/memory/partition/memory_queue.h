#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock_ratio.h"
#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/dram/completion_queue.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// A channel of memory as the core's clock sees it, with the requests before it that the channel's
/// own queue has no place for. They enter it in their order, each in the first DRAM cycle that
/// begins no sooner than the core cycle of its making and in which there is room. An answer is
/// there in the first core cycle that begins no sooner than the DRAM cycle in which it is done.
class MemoryQueue {
 public:
  MemoryQueue(std::unique_ptr<DramChannel> channel, ClockRatio core_to_dram, std::uint32_t entries);

  /// Who finds room may add several requests: what one access causes goes together.
  bool has_room() const { return waiting_.size() < entries_; }
  /// Times do not decrease, and are not before one for which step() was called.
  void read(std::uint64_t address, std::uint32_t bytes, std::uint32_t token, Cycle now) {
    add({.address = address, .is_write = false, .bytes = bytes, .token = token}, now);
  }
  void write(std::uint64_t address, std::uint32_t bytes, Cycle now) {
    add({.address = address, .is_write = true, .bytes = bytes, .token = 0}, now);
  }

  /// The core cycle for which step() is to be called next; never where all is idle.
  Cycle next_event() const { return next_; }
  /// Does what is to be done at the start of next_event(). True if there is more room, or a read
  /// is done.
  bool step();
  /// Calls `each(token)` for reads that are known to be done before core cycle `until`.
  template <class Each>
  void for_each_coming(Cycle until, Each&& each) const {
    const CompletionQueue& coming = channel_->completions();
    const Cycle end = clocks_.to_far(until);
    for (std::uint64_t i = coming.begin(); i != coming.end() && coming[i].at < end; ++i) {
      if ((coming[i].token & kWrite) == 0) each(coming[i].token >> 1);
    }
  }
  /// The tokens of the reads that the last step() found done, in their order.
  const std::vector<std::uint32_t>& reads_done() const { return reads_done_; }

  void trace(trace::Log* log) { channel_->trace({log, clocks_}); }
  DramCounters counters() const { return channel_->counters(); }

 private:
  // A token in the channel: the caller's doubled, and 1 for a write, which nobody waits for.
  static constexpr std::uint32_t kWrite = 1;

  void add(DramRequest request, Cycle now);

  std::unique_ptr<DramChannel> channel_;
  ClockRatio clocks_;
  std::uint32_t entries_;
  RingQueue<DramRequest> waiting_;
  Cycle dram_next_ = Cycle::never();  ///< In DRAM cycles.
  Cycle next_ = Cycle::never();
  std::vector<DramCompletion> completions_;  ///< Of one step.
  std::vector<std::uint32_t> reads_done_;
};

}  // namespace heddle::memory
