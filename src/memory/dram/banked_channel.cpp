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
    throw InputError("tCL, tRP and tRCD of memory must be one cycle at least");
  }
  if (timing.row_cycle.count == 0) timing.row_cycle = timing.row_active + timing.precharge;
  if (timing.row_cycle < timing.row_active + timing.precharge) {
    throw InputError(
        fmt::format("memory with a tRC of {} cycles cannot have a tRAS of {} and a tRP of {}",
                    timing.row_cycle.count, timing.row_active.count, timing.precharge.count));
  }
  if (parameters.queue_entries == 0) {
    throw InputError("a channel of memory needs a queue of one entry at least");
  }
  if (parameters.transaction_bytes > parameters.map.row_bytes) {
    throw InputError(fmt::format("a row of {} bytes does not hold a transaction of {}",
                                 parameters.map.row_bytes, parameters.transaction_bytes));
  }
  if (parameters.scheduler == DramScheduler::fcfs && parameters.age_limit.count != 0) {
    throw InputError("an age limit means nothing where requests are served in their order (fcfs)");
  }
  return parameters;
}

/// One column command a cycle, so at most one completion a cycle is under way; those of a queue may
/// wait for the pins besides.
std::size_t completions_under_way(const BankedChannelParameters& parameters) {
  const std::uint64_t cycles = parameters.timing.cas_latency.count + parameters.overhead.count;
  return static_cast<std::size_t>(std::min<std::uint64_t>(cycles, 4096) + 16);
}

}  // namespace

BankedChannel::BankedChannel(const BankedChannelParameters& parameters)
    : parameters_(checked(parameters)),
      map_(parameters.map),
      pins_(parameters.bandwidth, parameters.transaction_bytes),
      banks_(parameters.map.banks),
      queues_(parameters.queue_entries, parameters.map.banks),
      candidates_(parameters.map.banks),
      completions_(completions_under_way(parameters)) {}

bool BankedChannel::accepts(Cycle now) {
  run_to(now);
  return !queues_.full();
}

void BankedChannel::add(const DramRequest& request, Cycle arrival) {
  assert(arrival >= now_);
  run_to(arrival);
  const DramLocation location = map_.locate(request.address);
  assert(location.column + request.bytes <= parameters_.map.row_bytes);
  const bool leads = queues_.add(location.bank,
                                 {.order = next_order_++,
                                  .row = location.row,
                                  .arrival = arrival,
                                  .bytes = request.bytes,
                                  .token = request.token,
                                  .is_write = request.is_write},
                                 banks_[location.bank].has_open(location.row));
  if (!leads) return;
  choose_candidate(location.bank);
  decision_ = decide();
}

void BankedChannel::advance(Cycle until, std::vector<DramCompletion>& completions) {
  run_to(until);
  completions_.tell(until, completions);
}

std::optional<Cycle> BankedChannel::next_event() const {
  Cycle next = Cycle::never();
  if (!completions_.empty()) next = completions_.front().at;
  if (!queues_.empty()) next = std::min(next, decision_.at + Cycles(1));
  if (next == Cycle::never()) return std::nullopt;
  return next;
}

void BankedChannel::run_to(Cycle until) {
  while (decision_.at < until) {
    now_ = decision_.at;
    if (decision_.bank == kNoBank) {
      for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) choose_candidate(bank);
    } else {
      issue(decision_);
      ++now_;
      choose_candidate(decision_.bank);
    }
    decision_ = decide();
  }
  now_ = std::max(now_, until);
}

void BankedChannel::choose_candidate(std::uint32_t bank) {
  Candidate& candidate = candidates_[bank];
  candidate = {};
  const std::uint32_t first = queues_.first(bank);
  if (first == BankQueues::kNone) return;

  const bool in_order = parameters_.scheduler == DramScheduler::fcfs;
  bool overdue = false;
  if (parameters_.age_limit.count != 0) {
    const Cycle from = queues_[first].arrival + parameters_.age_limit;
    overdue = from <= now_;
    if (!overdue) candidate.overdue = from;
  }
  const std::uint32_t hit = queues_.hit(bank);
  const bool takes_first = in_order || overdue || hit == BankQueues::kNone;
  candidate.entry = takes_first ? first : hit;
  const BankQueues::Entry& entry = queues_[candidate.entry];
  candidate.command = banks_[bank].needed_for(entry.row);
  candidate.from = banks_[bank].earliest(candidate.command);

  enum Urgency : std::uint64_t { kOverdue, kHit, kOther };
  const bool hits = candidate.command == DramBank::Command::column;
  const Urgency urgency = in_order || overdue ? kOverdue : hits ? kHit : kOther;
  candidate.rank = urgency << 62 | entry.order;
}

// The earliest of the candidates' commands; of several that can go out in the same cycle, that of
// the lowest rank. Comparisons without branches: which bank it is cannot be predicted.
BankedChannel::Decision BankedChannel::decide() const {
  std::uint64_t last_to_transfer = kLast;
  if (parameters_.scheduler == DramScheduler::fcfs) {
    for (const Candidate& candidate : candidates_) {
      last_to_transfer = std::min(last_to_transfer, candidate.rank);
    }
  }
  // Data must not come before the pins are free.
  const std::uint64_t pins = pins_.free_from().number;
  const std::uint64_t latency = parameters_.timing.cas_latency.count;
  const std::uint64_t now = now_.number;
  const std::uint64_t column_from = std::max(now, pins > latency ? pins - latency : 0);
  constexpr std::uint64_t kNever = Cycle::never().number;

  std::uint64_t best_at = kNever;
  std::uint64_t best_rank = kLast;
  std::uint64_t best_bank = kNoBank;
  std::uint64_t overdue = kNever;
  for (std::uint64_t bank = 0; bank < candidates_.size(); ++bank) {
    const Candidate& candidate = candidates_[bank];
    const bool is_column = candidate.command == DramBank::Command::column;
    const std::uint64_t column = candidate.rank <= last_to_transfer ? column_from : kNever;
    const std::uint64_t at = std::max(candidate.from.number, is_column ? column : now);
    const bool better = (at < best_at) | ((at == best_at) & (candidate.rank < best_rank));
    best_at = better ? at : best_at;
    best_rank = better ? candidate.rank : best_rank;
    best_bank = better ? bank : best_bank;
    overdue = std::min(overdue, candidate.overdue.number);
  }
  if (overdue <= best_at) return {.at = Cycle(overdue), .bank = kNoBank};
  return {.at = Cycle(best_at), .bank = static_cast<std::uint32_t>(best_bank)};
}

void BankedChannel::issue(const Decision& decision) {
  DramBank& bank = banks_[decision.bank];
  const Candidate& candidate = candidates_[decision.bank];
  switch (candidate.command) {
    case DramBank::Command::precharge:
      bank.precharge(decision.at, parameters_.timing);
      if (trace_) trace_.precharge(decision.at, decision.bank);
      queues_.closed(decision.bank);
      return;
    case DramBank::Command::activate:
      assert(candidate.entry == queues_.first(decision.bank));
      bank.activate(decision.at, queues_[candidate.entry].row, parameters_.timing);
      queues_.opened_for_first(decision.bank);
      ++counters_.activations;
      if (trace_) trace_.activate(decision.at, decision.bank, queues_[candidate.entry].row);
      return;
    case DramBank::Command::column:
      assert(candidate.entry == queues_.hit(decision.bank));
      transfer(decision.bank, decision.at);
      queues_.take_hit(decision.bank);
      return;
  }
}

void BankedChannel::transfer(std::uint32_t bank, Cycle at) {
  const BankQueues::Entry& entry = queues_[candidates_[bank].entry];
  const Cycle end = pins_.transfer(at + parameters_.timing.cas_latency, entry.bytes);
  const Cycle done = end + parameters_.overhead;
  completions_.push({.token = entry.token, .at = done});
  if (trace_) trace_.transfer(at, entry.is_write, bank, entry.row, entry.bytes, done);

  ++(entry.is_write ? counters_.writes : counters_.reads);
  switch (banks_[bank].transfer(end, entry.is_write, parameters_.timing)) {
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
  counters.data_bytes = pins_.data_bytes();
  counters.busy_data_cycles = pins_.busy_cycles();
  return counters;
}

}  // namespace heddle::memory
