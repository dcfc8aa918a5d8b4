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

/// The queue in front of a DRAM channel. It holds the requests for which the channel's own queue
/// has no space, and converts between core and DRAM cycles. Requests enter the channel in order. A
/// request enters in the first DRAM cycle in which the channel has space and which begins no
/// earlier than the request's core cycle. A response arrives in the first core cycle that begins no
/// earlier than the DRAM cycle in which the request completes.
class MemoryQueue {
 public:
  /// Throws InputError if `entries` is 0.
  MemoryQueue(std::unique_ptr<DramChannel> channel, ClockRatio core_to_dram, std::uint32_t entries);

  /// Whether the caller may add requests. It may then add all requests of one access, even if they
  /// exceed the queue's size.
  bool has_space() const { return waiting_.size() < entries_; }
  // Add a request in core cycle `now`. `now` must not decrease, and must not be earlier than the
  // last event for which step() was called.
  void read(std::uint64_t address, std::uint32_t bytes, std::uint32_t token, Cycle now) {
    add({.address = address, .is_write = false, .bytes = bytes, .token = token}, now);
  }
  void write(std::uint64_t address, std::uint32_t bytes, Cycle now) {
    add({.address = address, .is_write = true, .bytes = bytes, .token = 0}, now);
  }

  /// The core cycle for which step() must be called next; never() if no request is in flight.
  Cycle next_event() const { return next_event_; }
  /// Simulates the channel up to the start of cycle next_event(). Returns true if space in the
  /// queue became free or a read completed.
  bool step();
  /// Calls `each(token)` for the reads that will complete before core cycle `until`, as far as they
  /// are already scheduled.
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
  // A token in the channel is twice the caller's token, plus 1 for a write. Completions of writes
  // are ignored.
  static constexpr std::uint32_t kWrite = 1;

  void add(DramRequest request, Cycle now);

  std::unique_ptr<DramChannel> channel_;
  ClockRatio clocks_;
  std::uint32_t entries_;
  RingQueue<DramRequest> waiting_;
  Cycle next_dram_event_ = Cycle::never();   ///< The time of the next event, in DRAM cycles.
  Cycle next_event_ = Cycle::never();        ///< The same in core cycles.
  std::vector<DramCompletion> completions_;  ///< Scratch space of step().
  std::vector<std::uint32_t> reads_done_;    ///< The tokens of the reads completed in step().
};

}  // namespace heddle::memory
