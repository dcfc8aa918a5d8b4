#include "memory/dram/fixed_channel.h"

#include <algorithm>
#include <cassert>

#include "base/error.h"
#include "base/quantity.h"

namespace heddle::memory {

FixedChannel::FixedChannel(const FixedChannelParameters& parameters)
    : latency_(parameters.latency),
      queue_entries_(parameters.queue_entries),
      bus_(parameters.bandwidth, parameters.transaction_bytes),
      completions_(parameters.queue_entries) {
  if (queue_entries_ == 0) throw InputError("a DRAM channel needs a queue of at least one entry");
}

bool FixedChannel::accepts(Cycle now) {
  oldest_in_flight_ = std::max(oldest_in_flight_, completions_.begin());
  while (oldest_in_flight_ != completions_.end() && completions_[oldest_in_flight_].at <= now) {
    ++oldest_in_flight_;
  }
  return completions_.end() - oldest_in_flight_ < queue_entries_;
}

void FixedChannel::add(const DramRequest& request, Cycle arrival) {
  assert(accepts(arrival));
  const Cycle done = bus_.transfer(arrival + latency_, request.bytes);
  completions_.push({.token = request.token, .at = done});
  ++(request.is_write ? counters_.writes : counters_.reads);
  if (trace_) trace_.transfer(arrival, request.is_write, request.bytes, done);
}

void FixedChannel::advance(Cycle until, std::vector<DramCompletion>& completions) {
  completions_.take_done(until, completions);
}

std::optional<Cycle> FixedChannel::next_event() const {
  if (completions_.empty()) return std::nullopt;
  return completions_.front().at;
}

DramCounters FixedChannel::counters() const {
  DramCounters counters = counters_;
  counters.data_bytes = bus_.data_bytes();
  counters.busy_data_cycles = bus_.busy_cycles();
  return counters;
}

void FixedDramParameters::declare(config::Declarations& parameters) {
  parameters.number("latency", latency, {.unit = "DRAM cycles", .least = 0, .most = 100000},
                    "with policy fixed: from a request's arrival at the channel to its first byte");
}

DramProperties FixedDramParameters::properties(const DramDescription&) const {
  return {.latency = latency,
          .conflict_latency = latency,
          .sketch = {"latency " + count_text(latency, "cycle")}};
}

namespace {

const DramRegistry::Entry fixed_channel_entry{
    "fixed", "a fixed latency and a bandwidth",
    [](const FixedDramParameters& own, const DramDescription& dram) {
      return std::make_unique<FixedChannel>(FixedChannelParameters{
          .latency = Cycles(own.latency + dram.overhead),
          .bandwidth = {.bytes = dram.bandwidth_bytes, .cycles = dram.bandwidth_cycles},
          .transaction_bytes = dram.transaction_bytes,
          .queue_entries = dram.queue_entries});
    }};

}  // namespace

}  // namespace heddle::memory
