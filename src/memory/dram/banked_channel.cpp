#include "memory/dram/banked_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/error.h"

namespace heddle::memory {
namespace {

BankedChannelParameters checked(BankedChannelParameters parameters) {
  DramTiming& timing = parameters.timing;
  if (timing.cas_latency.count == 0 || timing.precharge.count == 0 ||
      timing.row_to_column.count == 0) {
    throw InputError("tCL, tRP and tRCD of DRAM must be at least one cycle");
  }
  if (timing.row_cycle.count == 0) timing.row_cycle = timing.row_active + timing.precharge;
  if (timing.row_cycle < timing.row_active + timing.precharge) {
    throw InputError(
        fmt::format("a tRC of {} DRAM cycles is less than the sum of a tRAS of {} and a tRP of {}",
                    timing.row_cycle.count, timing.row_active.count, timing.precharge.count));
  }
  if (parameters.queue_entries == 0) {
    throw InputError("a DRAM channel needs a queue of at least one entry");
  }
  if (parameters.transaction_bytes > parameters.map.row_bytes) {
    throw InputError(fmt::format("a DRAM row of {} bytes cannot hold a transaction of {} bytes",
                                 parameters.map.row_bytes, parameters.transaction_bytes));
  }
  return parameters;
}

/// Returns the expected maximum of requests between column command and completion. One column
/// command per cycle gives at most one completion per cycle; a few more may wait for the data bus.
std::size_t expected_in_flight(const BankedChannelParameters& parameters) {
  const std::uint64_t cycles = parameters.timing.cas_latency.count + parameters.overhead.count;
  return static_cast<std::size_t>(std::min<std::uint64_t>(cycles, 4096) + 16);
}

}  // namespace

BankedChannel::BankedChannel(const BankedChannelParameters& parameters)
    : parameters_(checked(parameters)),
      map_(parameters.map),
      bus_(parameters.bandwidth, parameters.transaction_bytes),
      banks_(parameters.map.banks),
      queues_(parameters.queue_entries, parameters.map.banks),
      completions_(expected_in_flight(parameters)) {}

std::optional<std::uint32_t> BankedChannel::enqueue(const DramRequest& request, Cycle arrival) {
  const DramLocation location = map_.locate(request.address);
  assert(location.offset_in_row + request.bytes <= parameters_.map.row_bytes);
  const bool is_oldest_or_hit = queues_.add(location.bank,
                                            {.order = next_order_++,
                                             .row = location.row,
                                             .arrival = arrival,
                                             .bytes = request.bytes,
                                             .token = request.token,
                                             .is_write = request.is_write},
                                            banks_[location.bank].has_open(location.row));
  if (!is_oldest_or_hit) return std::nullopt;
  return location.bank;
}

void BankedChannel::issue(DramBank::Command command, std::uint32_t bank, std::uint32_t request,
                          Cycle at) {
  switch (command) {
    case DramBank::Command::precharge:
      banks_[bank].precharge(at, parameters_.timing);
      if (trace_) trace_.precharge(at, bank);
      queues_.on_row_closed(bank);
      return;
    case DramBank::Command::activate:
      assert(request == queues_.oldest(bank));
      banks_[bank].activate(at, queues_[request].row, parameters_.timing);
      queues_.on_row_opened_for_oldest(bank);
      ++counters_.activations;
      if (trace_) trace_.activate(at, bank, queues_[request].row);
      return;
    case DramBank::Command::column:
      assert(request == queues_.hit(bank));
      transfer(bank, queues_[request], at);
      queues_.remove_hit(bank);
      return;
  }
}

void BankedChannel::transfer(std::uint32_t bank, const BankQueues::Entry& request, Cycle at) {
  const Cycle end = bus_.transfer(at + parameters_.timing.cas_latency, request.bytes);
  const Cycle done = end + parameters_.overhead;
  completions_.push({.token = request.token, .at = done});
  if (trace_) trace_.transfer(at, request.is_write, bank, request.row, request.bytes, done);

  ++(request.is_write ? counters_.writes : counters_.reads);
  switch (banks_[bank].transfer(end, request.is_write, parameters_.timing)) {
    case DramBank::Outcome::hit:
      ++counters_.row_hits;
      break;
    case DramBank::Outcome::miss:
      ++counters_.row_misses;
      break;
    case DramBank::Outcome::conflict:
      ++counters_.row_conflicts;
      break;
  }
}

DramCounters BankedChannel::counters() const {
  DramCounters counters = counters_;
  counters.data_bytes = bus_.data_bytes();
  counters.busy_data_cycles = bus_.busy_cycles();
  return counters;
}

}  // namespace heddle::memory
