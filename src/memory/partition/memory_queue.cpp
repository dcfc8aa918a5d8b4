#include "memory/partition/memory_queue.h"

#include <cassert>
#include <utility>

#include "base/error.h"

namespace heddle::memory {

MemoryQueue::MemoryQueue(std::unique_ptr<DramChannel> channel, ClockRatio core_to_dram,
                         std::uint32_t entries)
    : channel_(std::move(channel)), clocks_(core_to_dram), entries_(entries) {
  if (entries_ == 0) throw InputError("memory.queue must have space for at least one request");
}

void MemoryQueue::add(DramRequest request, Cycle now) {
  assert(request.token < 1U << 31);
  request.token = request.token << 1 | (request.is_write ? kWrite : 0);
  const Cycle dram_now = clocks_.to_far(now);
  // All DRAM cycles that have begun are simulated, so the next event is no earlier than `dram_now`.
  assert(dram_now <= next_dram_event_);
  const bool is_head = waiting_.empty();
  waiting_.push(request);
  if (!is_head) return;  // The head waits for space, at the earliest at the channel's next event.
  next_dram_event_ = dram_now;
  next_event_ = clocks_.to_near(dram_now);
}

bool MemoryQueue::step() {
  completions_.clear();
  reads_done_.clear();
  const std::size_t waiting_before = waiting_.size();
  Cycle next;
  do {  // Several DRAM cycles may begin in one core cycle.
    const Cycle dram_now = next_dram_event_;
    channel_->advance(dram_now, completions_);
    while (!waiting_.empty() && channel_->accepts(dram_now)) {
      channel_->add(waiting_.front(), dram_now);
      waiting_.pop();
    }
    next_dram_event_ = channel_->next_event().value_or(Cycle::never());
    next = next_dram_event_ == Cycle::never() ? Cycle::never() : clocks_.to_near(next_dram_event_);
  } while (next <= next_event_);
  next_event_ = next;

  for (const DramCompletion& completion : completions_) {
    if ((completion.token & kWrite) == 0) reads_done_.push_back(completion.token >> 1);
  }
  return waiting_.size() < waiting_before || !reads_done_.empty();
}

}  // namespace heddle::memory
