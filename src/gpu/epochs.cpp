#include "gpu/epochs.h"

#include <algorithm>
#include <optional>

#include "exec/fault/fault.h"

namespace heddle::gpu {
namespace {

/// A multiprocessor can be simulated alone for twice the interconnect's latency. An epoch is also
/// no longer than the dispatch latency, so that the next block need not wait for the epoch's end.
Cycles epoch_length(const Machine& machine) {
  return std::min(Cycles(machine.dispatch.latency), Cycles(machine.interconnect.latency) * 2);
}

/// Multiprocessors perform the accesses of an epoch's last cycle at the start of the next epoch.
/// Partitions are ahead by the interconnect's latency, but a DRAM channel may issue a command up to
/// one DRAM cycle after the command is scheduled.
Cycles trace_lag(const Machine& machine) {
  const ClockRatio clocks(machine.clock.core_mhz, machine.clock.dram_mhz);
  const std::uint64_t late = clocks.to_near(Cycle(1)).number + 1;
  const std::uint64_t ahead = machine.interconnect.latency;
  return Cycles(std::max<std::uint64_t>(late > ahead ? late - ahead : 0, 1));
}

/// The minimum number of stored cache lines that several host threads commit together. One thread
/// commits fewer lines faster.
constexpr std::uint32_t kMinSharedLines = 16;

}  // namespace

Epochs::Epochs(const Machine& machine, std::uint32_t host_threads, trace::Trace* trace)
    : components_(std::make_unique<Components>(machine)),
      trace_(trace),
      team_(std::clamp(host_threads, 1U, machine.chip.sms)),
      link_latency_(machine.interconnect.latency),
      length_(epoch_length(machine)),
      trace_lag_(trace_lag(machine)),
      sm_summaries_(machine.chip.sms),
      partition_summaries_(components_->partitions().size()),
      faults_(machine.chip.sms) {
  if (trace_ != nullptr) components_->trace(*trace_);
}

Cycle Epochs::next_event() const {
  Cycle next = Cycle::never();
  for (const SmSummary& sm : sm_summaries_) next = std::min(next, sm.next_event);
  for (const PartitionSummary& partition : partition_summaries_) {
    if (partition.has_responded) return now_;
    // Partitions are ahead of multiprocessors by exactly the interconnect's latency.
    if (partition.next_event != Cycle::never()) {
      next = std::min(next, Cycle(partition.next_event.number - link_latency_.count));
    }
  }
  return std::max(next, now_);
}

void Epochs::refresh(std::uint32_t sm) {
  sm::Sm& changed = *components_->sms()[sm];
  SmSummary& summary = sm_summaries_[sm];
  summary.next_event = changed.next_event();
  summary.stored_lines = static_cast<std::uint32_t>(changed.stores().line_count());
  summary.has_sent = changed.has_sent();
  summary.has_chip_wide = changed.has_chip_wide();
  summary.has_finished_work = changed.has_released() || !changed.ended_warps().empty();
}

/// Discards the stores of a multiprocessor that are in memory. Called by the host thread that
/// simulates the multiprocessor next, because other host threads would first have to fetch the
/// stores into their caches.
void Epochs::discard_committed(std::uint32_t sm) {
  if (!sm_summaries_[sm].is_committed) return;
  components_->sms()[sm]->stores().clear();
  sm_summaries_[sm].is_committed = false;
}

void Epochs::run(Cycle until, const exec::GlobalMemory& memory) {
  order_ = order_ == Team::Order::forwards ? Team::Order::backwards : Team::Order::forwards;
  run_sms(until);
  raise_first_fault();
  commit_stores(memory);
  run_partitions(until + link_latency_);
  now_ = until;
  accesses_.forward(*components_);
  execute_chip_wide();
  if (trace_ != nullptr) write_trace();
}

void Epochs::write_trace() {
  if (now_.number > trace_lag_.count) trace_->write_before(Cycle(now_.number - trace_lag_.count));
}

void Epochs::run_sms(Cycle until) {
  const auto& sms = components_->sms();
  auto run_one = [&](std::uint32_t i) {
    sm::Sm& sm = *sms[i];
    discard_committed(i);
    for (const auto& partition : components_->partitions()) {
      std::vector<memory::Response>& mail = partition->outbox(i);
      for (const memory::Response& response : mail) sm.deliver(response);
      mail.clear();
    }
    try {
      sm.advance(until);
    } catch (...) {
      faults_[i] = std::current_exception();
    }
    refresh(i);
  };
  team_.run(static_cast<std::uint32_t>(sms.size()), run_one, order_);
}

void Epochs::raise_first_fault() {
  std::optional<std::size_t> first;
  const auto time_of = [this](std::size_t i) { return components_->sms()[i]->now(); };
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (faults_[i] && (!first || time_of(i) < time_of(*first))) first = i;
  }
  if (!first) return;
  fault_at_ = time_of(*first);
  const std::exception_ptr fault = faults_[*first];
  std::fill(faults_.begin(), faults_.end(), nullptr);
  std::rethrow_exception(fault);
}

/// Writes the stores of the epoch to memory, in the order of the multiprocessors. If several
/// multiprocessors stored to one address, the value of the last multiprocessor remains.
void Epochs::commit_stores(const exec::GlobalMemory& memory) {
  const auto& sms = components_->sms();
  std::uint64_t lines = 0;
  for (const SmSummary& summary : sm_summaries_) lines += summary.stored_lines;
  if (lines == 0) return;
  const std::uint32_t shares = lines < kMinSharedLines ? 1 : team_.size();
  team_.run(shares, [&](std::uint32_t share) {
    for (std::size_t i = 0; i < sms.size(); ++i) {
      if (sm_summaries_[i].stored_lines != 0) sms[i]->stores().commit(memory, share, shares);
    }
  });
  for (SmSummary& summary : sm_summaries_) summary.is_committed = summary.stored_lines != 0;
}

void Epochs::run_partitions(Cycle until) {
  const auto& partitions = components_->partitions();
  const bool any =
      std::any_of(sm_summaries_.begin(), sm_summaries_.end(),
                  [](const SmSummary& summary) { return summary.has_sent; }) ||
      std::any_of(partition_summaries_.begin(), partition_summaries_.end(),
                  [&](const PartitionSummary& summary) { return summary.next_event < until; });
  if (!any) {
    for (PartitionSummary& summary : partition_summaries_) summary.has_responded = false;
    return;
  }
  team_.run(static_cast<std::uint32_t>(partitions.size()), [&](std::uint32_t i) {
    memory::Partition& partition = *partitions[i];
    for (std::size_t j = 0; j < sm_summaries_.size(); ++j) {
      if (!sm_summaries_[j].has_sent) continue;
      std::vector<memory::Request>& mail = components_->sms()[j]->outbox(i);
      if (!mail.empty()) partition.receive(mail);
    }
    partition.advance(until);
    partition_summaries_[i] = {.next_event = partition.next_event(),
                               .has_responded = partition.has_responded()};
  });
}

/// Executes instructions that affect the whole chip, in the order of the multiprocessors. Called
/// between epochs, so no multiprocessor runs at the same time.
void Epochs::execute_chip_wide() {
  for (std::uint32_t i = 0; i < sm_summaries_.size(); ++i) {
    if (!sm_summaries_[i].has_chip_wide) continue;
    fault_at_ = now_;
    discard_committed(i);
    components_->sms()[i]->execute_chip_wide();
    refresh(i);
  }
}

void Epochs::drain(const exec::GlobalMemory& memory) {
  run_until_idle(memory);
  bool any = false;
  for (const auto& sm : components_->sms()) any |= sm->write_back(now_);
  if (any) {
    run(now_ + length_, memory);
    run_until_idle(memory);
  }
  for (const auto& sm : components_->sms()) sm->advance(now_);
}

void Epochs::run_until_idle(const exec::GlobalMemory& memory) {
  while (is_busy()) {
    const Cycle next = next_event();
    if (next == Cycle::never()) break;
    now_ = next;
    run(now_ + length_, memory);
  }
}

bool Epochs::is_busy() const {
  const auto is_active = [](const auto& component) { return !component->idle(); };
  const auto& sms = components_->sms();
  const auto& partitions = components_->partitions();
  return next_event() != Cycle::never() || std::any_of(sms.begin(), sms.end(), is_active) ||
         std::any_of(partitions.begin(), partitions.end(), is_active);
}

}  // namespace heddle::gpu
