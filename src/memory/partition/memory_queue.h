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

/// The queue in front of a DRAM channel; it also converts between core and DRAM cycles. It holds
/// the requests for which the channel's own queue has no space. Requests enter the channel in
/// order. Each enters in the first DRAM cycle that begins no earlier than the request's core cycle
/// and in which the channel has space. A response arrives in the first core cycle that begins no
/// earlier than the DRAM cycle in which the request completes.
class MemoryQueue {
 public:
  MemoryQueue(std::unique_ptr<DramChannel> channel, ClockRatio core_to_dram, std::uint32_t entries);

  /// If there is room, the caller may add all requests of one access, even beyond the queue's size.
  bool has_room() const { return waiting_.size() < entries_; }
  /// `now` must not decrease, and must not be before a time for which step() was called.
  void read(std::uint64_t address, std::uint32_t bytes, std::uint32_t token, Cycle now) {
    add({.address = address, .is_write = false, .bytes = bytes, .token = token}, now);
  }
  void write(std::uint64_t address, std::uint32_t bytes, Cycle now) {
    add({.address = address, .is_write = true, .bytes = bytes, .token = 0}, now);
  }

  /// The core cycle for which step() must be called next; never() if all is idle.
  Cycle next_event() const { return next_; }
  /// Simulates the channel up to the start of next_event(). Returns true if space became free or a
  /// read completed.
  bool step();
  /// Calls `each(token)` for reads that are known to complete before core cycle `until`.
  template <class Each>
  void for_each_read_done_before(Cycle until, Each&& each) const {
    const CompletionQueue& coming = channel_->completions();
    const Cycle end = clocks_.to_far(until);
    for (std::uint64_t i = coming.begin(); i != coming.end() && coming[i].at < end; ++i) {
      if ((coming[i].token & kWrite) == 0) each(coming[i].token >> 1);
    }
  }
  /// The tokens of the reads that completed in the last step(), in order.
  const std::vector<std::uint32_t>& reads_done() const { return reads_done_; }

  void trace(trace::Log* log) { channel_->trace({log, clocks_}); }
  DramCounters counters() const { return channel_->counters(); }

 private:
  // A token in the channel is twice the caller's token, plus 1 for a write (without a response).
  static constexpr std::uint32_t kWrite = 1;

  void add(DramRequest request, Cycle now);

  std::unique_ptr<DramChannel> channel_;
  ClockRatio clocks_;
  std::uint32_t entries_;
  RingQueue<DramRequest> waiting_;
  Cycle dram_next_ = Cycle::never();         ///< The time of the next event, in DRAM cycles.
  Cycle next_ = Cycle::never();              ///< The same in core cycles.
  std::vector<DramCompletion> completions_;  ///< Scratch space of step().
  std::vector<std::uint32_t> reads_done_;
};

}  // namespace heddle::memory
