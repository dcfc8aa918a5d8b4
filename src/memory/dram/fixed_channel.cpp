#include "memory/dram/fixed_channel.h"

#include <algorithm>
#include <cassert>

#include "base/error.h"

namespace heddle::memory {

FixedChannel::FixedChannel(const FixedChannelParameters& parameters)
    : latency_(parameters.latency),
      queue_entries_(parameters.queue_entries),
      pins_(parameters.bandwidth, parameters.transaction_bytes),
      completions_(parameters.queue_entries) {
  if (queue_entries_ == 0)
    throw InputError("a channel of memory needs a queue of one entry at least");
}

bool FixedChannel::accepts(Cycle now) {
  first_in_queue_ = std::max(first_in_queue_, completions_.begin());
  while (first_in_queue_ != completions_.end() && completions_[first_in_queue_].at <= now) {
    ++first_in_queue_;
  }
  return completions_.end() - first_in_queue_ < queue_entries_;
}

void FixedChannel::add(const DramRequest& request, Cycle arrival) {
  assert(accepts(arrival));
  const Cycle done = pins_.transfer(arrival + latency_, request.bytes);
  completions_.push({.token = request.token, .at = done});
  ++(request.is_write ? counters_.writes : counters_.reads);
}

void FixedChannel::advance(Cycle until, std::vector<DramCompletion>& completions) {
  completions_.tell(until, completions);
}

std::optional<Cycle> FixedChannel::next_event() const {
  if (completions_.empty()) return std::nullopt;
  return completions_.front().at;
}

DramCounters FixedChannel::counters() const {
  DramCounters counters = counters_;
  counters.data_bytes = pins_.data_bytes();
  counters.busy_data_cycles = pins_.busy_cycles();
  return counters;
}

}  // namespace heddle::memory
