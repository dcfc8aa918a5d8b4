#include "gpu/epochs.h"

#include <algorithm>
#include <optional>

#include "exec/fault/fault.h"

namespace heddle::gpu {
namespace {

/// A multiprocessor can run alone for two links; but a place that becomes free is not to wait for
/// the epoch's end if its next block could be there before.
Cycles epoch_length(const Machine& machine) {
  return std::min(Cycles(machine.dispatch.latency), Cycles(machine.interconnect.latency) * 2);
}

/// Multiprocessors make the accesses of an epoch's last cycle when the next one begins. Partitions
/// are ahead by a link, but a channel of memory gives a command up to a DRAM cycle after it has
/// decided on it.
Cycles trace_lag(const Machine& machine) {
  const ClockRatio clocks(machine.clock.core_mhz, machine.clock.dram_mhz);
  const std::uint64_t late = clocks.to_near(Cycle(1)).number + 1;
  const std::uint64_t ahead = machine.interconnect.latency;
  return Cycles(std::max<std::uint64_t>(late > ahead ? late - ahead : 0, 1));
}

/// Fewer lines are sooner stored by one thread than shared out.
constexpr std::uint32_t kLinesToShare = 16;

}  // namespace

Epochs::Epochs(const Machine& machine, std::uint32_t threads, trace::Trace* trace)
    : parts_(std::make_unique<Components>(machine)),
      trace_(trace),
      team_(std::clamp(threads, 1U, machine.chip.sms)),
      link_(machine.interconnect.latency),
      length_(epoch_length(machine)),
      trace_lag_(trace_lag(machine)),
      sm_news_(machine.chip.sms),
      partition_news_(parts_->partitions().size()),
      faults_(machine.chip.sms) {
  if (trace_ != nullptr) parts_->trace(*trace_);
}

Cycle Epochs::next_event() const {
  Cycle next = Cycle::never();
  for (const SmNews& sm : sm_news_) next = std::min(next, sm.next_event);
  for (const PartitionNews& partition : partition_news_) {
    if (partition.has_answered) return now_;
    // The partitions are to be ahead by a link, and no more.
    if (partition.next_event != Cycle::never()) {
      next = std::min(next, Cycle(partition.next_event.number - link_.count));
    }
  }
  return std::max(next, now_);
}

void Epochs::look_at(std::uint32_t sm) {
  sm::Sm& part = *parts_->sms()[sm];
  SmNews& news = sm_news_[sm];
  news.next_event = part.next_event();
  news.stored_lines = static_cast<std::uint32_t>(part.stores().lines());
  news.has_sent = part.has_sent();
  news.has_chip_wide = part.has_chip_wide();
  news.has_ended = part.has_released() || !part.ended_warps().empty();
}

/// By the thread that is about to run it, sooner than by one that would have to fetch it first.
void Epochs::forget_committed(std::uint32_t sm) {
  if (!sm_news_[sm].is_committed) return;
  parts_->sms()[sm]->stores().clear();
  sm_news_[sm].is_committed = false;
}

void Epochs::run(Cycle until, const exec::GlobalMemory& memory) {
  order_ = order_ == Team::Order::forwards ? Team::Order::backwards : Team::Order::forwards;
  run_sms(until);
  raise_first_fault();
  commit_stores(memory);
  run_partitions(until + link_);
  now_ = until;
  execute_chip_wide();
  if (trace_ != nullptr) write_trace();
}

void Epochs::write_trace() {
  if (now_.number > trace_lag_.count) trace_->write_before(Cycle(now_.number - trace_lag_.count));
}

void Epochs::run_sms(Cycle until) {
  const auto& sms = parts_->sms();
  auto run_one = [&](std::uint32_t i) {
    sm::Sm& sm = *sms[i];
    forget_committed(i);
    for (const auto& partition : parts_->partitions()) {
      std::vector<memory::Response>& mail = partition->outbox(i);
      for (const memory::Response& response : mail) sm.deliver(response);
      mail.clear();
    }
    try {
      sm.advance(until);
    } catch (...) {
      faults_[i] = std::current_exception();
    }
    look_at(i);
  };
  team_.run(static_cast<std::uint32_t>(sms.size()), run_one, order_);
}

void Epochs::raise_first_fault() {
  std::optional<std::size_t> first;
  const auto time_of = [this](std::size_t i) { return parts_->sms()[i]->now(); };
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (faults_[i] && (!first || time_of(i) < time_of(*first))) first = i;
  }
  if (!first) return;
  fault_at_ = time_of(*first);
  const std::exception_ptr fault = faults_[*first];
  std::fill(faults_.begin(), faults_.end(), nullptr);
  std::rethrow_exception(fault);
}

/// The first multiprocessor's stores first, so that the last one's stay where several stored to the
/// same place.
void Epochs::commit_stores(const exec::GlobalMemory& memory) {
  const auto& sms = parts_->sms();
  std::uint64_t lines = 0;
  for (const SmNews& news : sm_news_) lines += news.stored_lines;
  if (lines == 0) return;
  const std::uint32_t shares = lines < kLinesToShare ? 1 : team_.size();
  team_.run(shares, [&](std::uint32_t share) {
    for (std::size_t i = 0; i < sms.size(); ++i) {
      if (sm_news_[i].stored_lines != 0) sms[i]->stores().commit(memory, share, shares);
    }
  });
  for (SmNews& news : sm_news_) news.is_committed = news.stored_lines != 0;
}

void Epochs::run_partitions(Cycle until) {
  const auto& partitions = parts_->partitions();
  const bool any = std::any_of(sm_news_.begin(), sm_news_.end(),
                               [](const SmNews& news) { return news.has_sent; }) ||
                   std::any_of(partition_news_.begin(), partition_news_.end(),
                               [&](const PartitionNews& news) { return news.next_event < until; });
  if (!any) {
    for (PartitionNews& news : partition_news_) news.has_answered = false;
    return;
  }
  team_.run(static_cast<std::uint32_t>(partitions.size()), [&](std::uint32_t i) {
    memory::Partition& partition = *partitions[i];
    for (std::size_t j = 0; j < sm_news_.size(); ++j) {
      if (!sm_news_[j].has_sent) continue;
      std::vector<memory::Request>& mail = parts_->sms()[j]->outbox(i);
      if (!mail.empty()) partition.receive(mail);
    }
    partition.advance(until);
    partition_news_[i] = {.next_event = partition.next_event(),
                          .has_answered = partition.has_answered()};
  });
}

/// What touches all multiprocessors is executed while none of them runs, in their order.
void Epochs::execute_chip_wide() {
  for (std::uint32_t i = 0; i < sm_news_.size(); ++i) {
    if (!sm_news_[i].has_chip_wide) continue;
    fault_at_ = now_;
    forget_committed(i);
    parts_->sms()[i]->execute_chip_wide();
    look_at(i);
  }
}

void Epochs::drain(const exec::GlobalMemory& memory) {
  run_until_idle(memory);
  bool any = false;
  for (const auto& sm : parts_->sms()) any |= sm->write_back(now_);
  if (any) {
    run(now_ + length_, memory);
    run_until_idle(memory);
  }
  for (const auto& sm : parts_->sms()) sm->advance(now_);
}

void Epochs::run_until_idle(const exec::GlobalMemory& memory) {
  while (busy()) {
    const Cycle next = next_event();
    if (next == Cycle::never()) break;
    now_ = next;
    run(now_ + length_, memory);
  }
}

bool Epochs::busy() const {
  const auto is_busy = [](const auto& part) { return !part->idle(); };
  const auto& sms = parts_->sms();
  const auto& partitions = parts_->partitions();
  return next_event() != Cycle::never() || std::any_of(sms.begin(), sms.end(), is_busy) ||
         std::any_of(partitions.begin(), partitions.end(), is_busy);
}

}  // namespace heddle::gpu
