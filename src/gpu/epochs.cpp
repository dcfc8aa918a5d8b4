#include "gpu/epochs.h"

#include <algorithm>
#include <optional>

#include "exec/fault.h"

namespace heddle::gpu {

Epochs::Epochs(const Machine& machine, std::uint32_t threads)
    : parts_(std::make_unique<Components>(machine)),
      team_(std::clamp(threads, 1U, machine.chip.sms)),
      link_(machine.interconnect.latency),
      faults_(machine.chip.sms) {}

Cycle Epochs::next_event() const {
  if (has_mail()) return now_;
  Cycle next = Cycle::never();
  for (const auto& sm : parts_->sms()) next = std::min(next, sm->next_event());
  for (const auto& partition : parts_->partitions()) {
    next = std::min(next, partition->next_event());
  }
  return std::max(next, now_);
}

void Epochs::run(Cycle until, const exec::GlobalMemory& memory) {
  run_sms(until);
  raise_first_fault();
  commit_stores(memory);
  run_partitions(until);
  now_ = until;
  execute_chip_wide();
}

void Epochs::run_sms(Cycle until) {
  const auto& sms = parts_->sms();
  team_.run(static_cast<std::uint32_t>(sms.size()), [&](std::uint32_t i) {
    sm::Sm& sm = *sms[i];
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
  });
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
  if (std::all_of(sms.begin(), sms.end(), [](const auto& sm) { return sm->stores().empty(); })) {
    return;
  }
  team_.run(team_.size(), [&](std::uint32_t share) {
    for (const auto& sm : sms) {
      if (!sm->stores().empty()) sm->stores().commit(memory, share, team_.size());
    }
  });
  for (const auto& sm : sms) {
    if (!sm->stores().empty()) sm->stores().clear();
  }
}

void Epochs::run_partitions(Cycle until) {
  const auto& partitions = parts_->partitions();
  team_.run(static_cast<std::uint32_t>(partitions.size()), [&](std::uint32_t i) {
    for (const auto& sm : parts_->sms()) {
      std::vector<memory::Request>& mail = sm->outbox(i);
      if (!mail.empty()) partitions[i]->receive(mail);
    }
    partitions[i]->advance(until);
  });
}

/// What touches all multiprocessors is executed while none of them runs, in their order.
void Epochs::execute_chip_wide() {
  for (const auto& sm : parts_->sms()) {
    if (!sm->has_chip_wide()) continue;
    fault_at_ = now_;
    sm->execute_chip_wide();
  }
}

void Epochs::drain(const exec::GlobalMemory& memory) {
  while (busy()) {
    const Cycle next = next_event();
    if (next == Cycle::never()) break;
    now_ = next;
    run(now_ + link_, memory);
  }
  for (const auto& sm : parts_->sms()) sm->advance(now_);
}

bool Epochs::has_mail() const {
  for (const auto& partition : parts_->partitions()) {
    for (std::uint32_t i = 0; i < parts_->sms().size(); ++i) {
      if (!partition->outbox(i).empty()) return true;
    }
  }
  return false;
}

bool Epochs::busy() const {
  const auto is_busy = [](const auto& part) { return !part->idle(); };
  const auto& sms = parts_->sms();
  const auto& partitions = parts_->partitions();
  return has_mail() || std::any_of(sms.begin(), sms.end(), is_busy) ||
         std::any_of(partitions.begin(), partitions.end(), is_busy);
}

}  // namespace heddle::gpu
