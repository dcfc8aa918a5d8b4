#include "sm/sm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/error.h"
#include "exec/livelock/livelock_probe.h"

namespace heddle::sm {
namespace {

/// If a warp has one instruction in flight at a time, the second of a wrong path never issues.
std::unique_ptr<WrongPaths> make_wrong_paths(const DependenceDescription& dependence) {
  return std::make_unique<WrongPaths>(dependence.is_one_at_a_time() ? 1
                                                                    : WrongPaths::kMaxInstructions);
}

/// Forwards changes of active sets to the operand policies; null if they do not observe them.
std::unique_ptr<OperandActivity> activity_of(SubCores& sub_cores, const Cycle& now) {
  if (sub_cores[0].operands.active_set() == nullptr) return nullptr;
  return std::make_unique<OperandActivity>(sub_cores, now);
}

std::vector<StructuralHazards> hazards_of(SubCores& sub_cores, const WarpTable& warps,
                                          const LoadStoreUnit& load_store) {
  std::vector<StructuralHazards> hazards;
  for (std::uint32_t i = 0; i < sub_cores.count(); ++i) {
    const SubCore& core = sub_cores[i];
    hazards.emplace_back(sub_cores.warps_of(i), warps, *core.operand_policy, core.units, load_store,
                         core.dependence->shared_entries());
  }
  return hazards;
}

/// The banks that scratchpad and L1 share with the registers; null if they have their own.
std::unique_ptr<BankArbiter> bank_arbiter_of(const SmDescription& description,
                                             SubCores& sub_cores) {
  const std::optional<SharedBanks> banks = description.launch_storage.shared_banks();
  if (!banks || !banks->conflicts) return nullptr;
  return std::make_unique<BankArbiter>(*banks, description.memory.scratchpad.shape.pass_bytes,
                                       *sub_cores[0].operand_policy->share_ports());
}

}  // namespace

Sm::Sm(const SmDescription& description, const SmPlace& place)
    : warps_(description.divergence.slots(description.residency.warps)),
      description_(description),
      number_(place.number),
      instruction_cache_(description.icache),
      sub_cores_(description, instruction_cache_),
      redundancy_(make_redundancy(description.redundancy, description.sub_cores.count)),
      branch_(make_branch_unit(description.branch)),
      wrong_paths_(branch_->predicts() ? make_wrong_paths(description.dependence) : nullptr),
      load_store_(description.memory, place.interconnect, place.crossbar_port, place.partitions,
                  place.number, bank_arbiter_of(description, sub_cores_)),
      memory_(load_store_, place.number, description.memory.local),
      lookahead_(make_lookahead_unit({.description = description_,
                                      .now = now_,
                                      .warps = warps_,
                                      .sub_cores = sub_cores_,
                                      .memory = memory_,
                                      .residents = residents_})),
      reuses_results_(description.lookahead.reuses_results()),
      residents_(description.residency, place.number, place.count, stores_, redundancy_.get()),
      operand_activity_(activity_of(sub_cores_, now_)),
      core_view_(now_, warps_, load_store_, completions_),
      schedulers_(description.schedule, sub_cores_.count(), warps_.all(), core_view_,
                  operand_activity_.get()),
      hazards_(hazards_of(sub_cores_, warps_, load_store_)),
      selection_(warps_, schedulers_, hazards_, wrong_paths_.get(), lookahead_.get()),
      accounting_(warps_, schedulers_, hazards_, lookahead_.get()),
      pipeline_(make_pipeline({.description = description_,
                               .needs = needs_of(description_, *branch_),
                               .core_mhz = place.core_mhz,
                               .now = now_,
                               .warps = warps_,
                               .residents = residents_,
                               .schedulers = schedulers_,
                               .sub_cores = sub_cores_,
                               .branch = *branch_,
                               .wrong_paths = wrong_paths_.get(),
                               .memory = memory_,
                               .lookahead = lookahead_.get(),
                               .redundancy = redundancy_.get(),
                               .stores = stores_,
                               .counters = issued_})) {
  residents_.log_accesses(access_log_);
}

/// Prefetches, into the caches of the host, the state that the epoch needs. On a chip with many
/// multiprocessors, the state of the others has evicted it from these caches since the last epoch.
[[gnu::always_inline]] inline void Sm::prefetch_state() {
  const WarpSet soon = warps_.ready() | warps_.asleep();
  for_each_warp(soon, [this](WarpSlot warp) { warps_.prefetch(warp); });
  pipeline_->prefetch(soon);
  load_store_.prefetch_responses(
      [this](std::uint32_t token) { warps_.prefetch(memory_.warp_of(token)); });
}

/// Gives slots to the warps of new blocks, and to waiting warps for which there is now space.
[[gnu::always_inline]] inline void Sm::start_warps() {
  if (!residents_.starting().empty()) start_new_warps();
}

[[gnu::noinline]] void Sm::start_new_warps() {
  if (reuses_results_) lookahead_->observe_blocks();
  pipeline_->start_warps();
  residents_.clear_starting();
}

void Sm::advance(Cycle until) {
  prefetch_state();
  residents_.forget_releases();
  residents_.create_admitted_blocks();
  start_warps();
  pipeline_->resume_fenced();
  while (now_ < until) {
    if (load_store_.next_visible_event() <= now_ || !completions_.empty()) advance_memory(now_);
    if (const WarpSet woken = warps_.wake(now_); woken != 0) pipeline_->wake(woken);
    if (residents_.blocks() == 0) {
      now_ = until;
      break;
    }
    accounting_.count_without_warps(now_);
    if (schedulers_.next_update() <= now_) schedulers_.update(now_);
    const IssueCycle cycle = selection_.select(
        now_, [this](WarpSlot warp, IssueKind kind) { pipeline_->issue(warp, kind); });
    start_warps();
    const Cycle next = cycle.has_issued() ? now_ + Cycles(1) : run_memory_until_change(until);
    accounting_.count(cycle, (next - now_).count);
    now_ = next;
  }
  // The caller takes the requests of this epoch from the outboxes when this returns.
  advance_memory(Cycle(until.number - 1));
  assert(residents_.starting().empty());
}

void Sm::advance_memory(Cycle now) {
  load_store_.advance(now, completions_);
  for (const MemoryCompletion& completion : completions_) pipeline_->complete(completion);
  completions_.clear();
}

/// Called in a cycle without issue. Returns the first cycle after it in which a warp may become
/// able to issue, or in which a scheduler updates; `until` at the latest. Simulates the load-store
/// unit up to the returned cycle: most of its events before then change nothing for any warp.
Cycle Sm::run_memory_until_change(Cycle until) {
  const Cycle change = std::min({warps_.next_wake(now_), until, selection_.next_change(now_)});
  for (Cycle at = now_;;) {
    at = std::max(load_store_.next_visible_event(), at + Cycles(1));
    if (at >= change) return change;
    load_store_.advance(at, completions_);
    if (!completions_.empty() || selection_.has_space_for_memory()) return at;
  }
}

Cycle Sm::next_event() const {
  if (residents_.blocks() == 0) return load_store_.next_event();
  if (warps_.ready() != 0 || pipeline_->any_fenced()) return now_;
  Cycle next = std::min(warps_.next_wake(Cycle(now_.number - 1)), load_store_.next_event());
  for (const AdmittedBlock& block : residents_.admitted()) next = std::min(next, block.at);
  if (wrong_paths_ != nullptr) {
    next = std::min(next, wrong_paths_->next(Cycle(now_.number - 1)));
  }
  if (lookahead_ != nullptr) next = std::min(next, lookahead_->next(Cycle(now_.number - 1)));
  return next;
}

void Sm::begin_launch(const Grid& grid) {
  residents_.resize(grid.storage);
  load_store_.resize_l1(grid.storage.l1_bytes);
  switched_off_.set(grid.storage.off_bytes);
}

void Sm::begin_counting(Cycle at) {
  now_ = at;
  accounting_.begin_counting(at);
  switched_off_.count_until(at);
  residents_.begin_counting(at);
}

void Sm::settle(Cycle at) {
  residents_.count_until(at);
  switched_off_.count_until(at);
  warps_.count_waits(at);
  accounting_.count_without_warps(at);
}

void Sm::inject(FaultInjection& injection) {
  if (redundancy_ != nullptr && redundancy_->inject(injection, number_)) return;
  const RedundancyDescription& redundancy = description_.redundancy;
  if (description_.sub_cores.count > 1) {
    throw InputError("a fault cannot be injected into a machine with sub-cores (sm.sub_cores)");
  }
  throw InputError(
      !redundancy.is_present() || redundancy.detect_errors
          ? fmt::format("a fault cannot be injected: redundancy.policy '{}' detects no errors; "
                        "choose 'token' or 'scalar-file', with redundancy.detect_errors=yes",
                        redundancy.policy)
          : "a fault cannot be injected: the machine detects no errors; set "
            "redundancy.detect_errors=yes");
}

bool Sm::write_back(Cycle at) { return load_store_.write_back_all(at); }

void Sm::forget_launches() {
  load_store_.invalidate();
  instruction_cache_.invalidate();
  branch_->invalidate();
  residents_.drop_kept_blocks();
}

exec::Activity Sm::activity(std::vector<exec::WarpStatus>& statuses, std::uint64_t& effort) const {
  const std::vector<exec::AtomicInFlight> atomics = memory_.atomics().in_flight();
  exec::LivelockProbe probe(atomics);
  const bool is_idle = residents_.admitted().empty() && probe.atomics_leave_memory_unchanged() &&
                       pipeline_->add_if_idle(probe, statuses);
  effort += probe.effort();
  return is_idle ? probe.activity() : exec::Activity::works;
}

void Sm::declare(CounterList& counters) {
  issued_.declare(counters);
  residents_.declare(counters);
  accounting_.declare(counters);
  schedulers_.declare(counters);
  counters.part("icache", instruction_cache_);
  for (SubCore& core : sub_cores_) counters.part("dependence", *core.dependence);
  counters.part("branch", *branch_);
  if (wrong_paths_ != nullptr) wrong_paths_->declare(counters);
  if (lookahead_ != nullptr) lookahead_->declare(counters);
  for (SubCore& core : sub_cores_) counters.part("operands", *core.operand_policy);
  if (redundancy_ != nullptr) {
    counters.part("operands", issued_.one_lane);
    counters.part("redundancy", *redundancy_);
  }
  for (SubCore& core : sub_cores_) counters.part("units", core.units);
  load_store_.declare(counters);
  if (const std::optional<SharedBanks> banks = description_.launch_storage.shared_banks()) {
    counters.part("storage", switched_off_);
    if (!banks->conflicts) counters.part("banks", without_conflicts_);
  }
}

}  // namespace heddle::sm
