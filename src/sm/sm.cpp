#include "sm/sm.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::sm {
namespace {

/// The queues to memory, and the way that each is the begin of.
struct MemoryResource {
  Resource resource;
  MemoryPath path;
};
constexpr std::array kMemoryResources = {
    MemoryResource{Resource::global, MemoryPath::global},
    MemoryResource{Resource::shared, MemoryPath::shared},
    MemoryResource{Resource::constant, MemoryPath::constant},
    MemoryResource{Resource::texture, MemoryPath::texture},
};

}  // namespace

Sm::Sm(const SmDescription& description, const SmPlace& place)
    : description_(description),
      place_(place),
      nanoseconds_per_cycle_(1000.0 / place.core_mhz),
      residency_(ResidencyRegistry::get(description.residency.policy)(description.residency)),
      front_end_(description.fetch, description.icache),
      dependence_(DependenceRegistry::get(description.dependence.policy)()),
      operands_(make_operands(description.operands)),
      branch_(make_branch_unit(description.branch)),
      units_(description.units),
      memory_(description.memory, place.interconnect, place.crossbar_port, place.partitions,
              place.number),
      of_scheduler_(description.schedule.schedulers, 0),
      issues_from_(description.schedule.schedulers),
      travel_(DivergenceRegistry::get(description.divergence.policy)()),
      residents_(description.residency.blocks),
      breaks_down_until_(description.schedule.schedulers) {
  read_latency_ = operands_->read_latency();
  std::uint32_t slots = description.residency.warps;
  for (WarpSlot home = 0; home < slots; ++home) free_homes_ |= set_of(home);
  switch (travel_) {
    case Travel::warps:
      break;
    case Travel::large_warps:
      for (WarpSlot warp = 0; warp < slots; ++warp) {
        large_warps_.push_back(std::make_unique<LargeWarp>(description.divergence));
      }
      break;
    case Travel::formed_warps:
      threads_ = std::make_unique<exec::FormedWarp>(slots);
      slots = description.divergence.formed_warps;
      for (WarpSlot warp = 0; warp < slots; ++warp) {
        formed_warps_.push_back(std::make_unique<FormedWarp>(*threads_));
      }
      break;
  }
  for (WarpSlot warp = 0; warp < slots; ++warp) {
    all_slots_ |= set_of(warp);
    of_scheduler_[warp % of_scheduler_.size()] |= set_of(warp);
  }
  free_slots_ = all_slots_;
  for (const WarpSet warps : of_scheduler_) {
    schedulers_.push_back(SchedulerRegistry::get(description.schedule.policy)(
        {.description = description_.schedule, .warps = warps}));
  }
}

/// Lets the host fetch what the epoch will need: with many multiprocessors, others have taken the
/// host's caches since the last one.
[[gnu::always_inline]] inline void Sm::prefetch_state() {
  const auto prefetch_slot = [this](WarpSlot warp) { prefetch_lines(&slots_[warp], sizeof(Slot)); };
  for (WarpSet soon = ready_ | wheel_.all(); soon != 0; soon &= soon - 1) {
    prefetch_slot(static_cast<WarpSlot>(std::countr_zero(soon)));
  }
  memory_.prefetch_answers([&](std::uint32_t token) { prefetch_slot(pending_[token].warp); });
}

void Sm::advance(Cycle until) {
  prefetch_state();
  start_taken_blocks();
  // What was stored in the epochs before has been committed.
  for (; fenced_ != 0; fenced_ &= fenced_ - 1) {
    const auto warp = static_cast<WarpSlot>(std::countr_zero(fenced_));
    unblock(warp, now_);
    follow(warp, now_, StallCause::membar);
  }
  while (now_ < until) {
    if (memory_.next_news() <= now_ || !completions_.empty()) advance_memory(now_);
    wake(wheel_.take(now_));
    if (resident_blocks_ == 0) {
      now_ = until;
      break;
    }
    count_without_warps(now_);

    WarpSet issued = 0;
    WarpSet all_eligible = 0;
    WarpSet held = 0;  // By schedulers that issued a moment ago.
    std::uint32_t idle_schedulers = 0;
    // What the schedulers share goes to each of them first in turn.
    const auto count = static_cast<std::uint32_t>(schedulers_.size());
    const auto first = count == 1 ? 0 : static_cast<std::uint32_t>(now_.number % count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t s = first + i < count ? first + i : first + i - count;
      WarpSet eligible = ready_ & of_scheduler_[s];
      if (issues_from_[s] > now_) {
        held |= of_scheduler_[s];
        eligible = 0;
      }
      if (eligible != 0) eligible &= ~unavailable(now_, eligible);
      if (eligible == 0) {
        idle_schedulers |= std::uint32_t{1} << s;
        continue;
      }
      all_eligible |= eligible;
      const WarpSlot warp = schedulers_[s]->pick(eligible, now_);
      if (warp == kNoWarp) {
        idle_schedulers |= std::uint32_t{1} << s;
        continue;
      }
      issued |= set_of(warp);
      issues_from_[s] = now_ + Cycles(description_.schedule.interval);
      leave_ready(warp);
      issue(warp);
    }
    std::uint32_t issuing = static_cast<std::uint32_t>(std::popcount(issued));
    if (travel_ != Travel::warps) {
      // A scheduler that still breaks its warp down issues the next pass of it.
      for (std::uint32_t s = 0; s < count; ++s) {
        if (breaks_down_until_[s] <= now_ || (idle_schedulers >> s & 1) == 0) continue;
        idle_schedulers &= ~(std::uint32_t{1} << s);
        ++issuing;
      }
    }
    const Cycle next = issuing != 0 ? now_ + Cycles(1) : run_memory_until_change(until);
    const std::uint64_t cycles = (next - now_).count;
    counters_.selected += issuing;
    if (issuing == 0) counters_.idle_cycles += cycles;
    for (; idle_schedulers != 0; idle_schedulers &= idle_schedulers - 1) {
      account(static_cast<std::uint32_t>(std::countr_zero(idle_schedulers)), cycles);
    }
    if (ready_ != 0) account_ready(all_eligible, held, cycles);
    counted_until_ = next;
    now_ = next;
  }
  // What it sent in this epoch is taken from it now.
  advance_memory(Cycle(until.number - 1));
}

void Sm::advance_memory(Cycle now) {
  memory_.advance(now, completions_);
  for (const MemoryCompletion& completion : completions_) complete(completion);
  completions_.clear();
}

/// Those of `ready` for whose next instruction there is no room now.
WarpSet Sm::unavailable(Cycle at, WarpSet ready) const {
  if (operands_->free_from(at) > at) return ready & ~needs(Resource::none);
  WarpSet taken = 0;
  for (const UnitKind unit :
       {UnitKind::integer, UnitKind::fp32, UnitKind::fp64, UnitKind::special}) {
    const WarpSet who = needs_[static_cast<std::size_t>(unit)] & ready;
    if (who != 0 && units_.free_from(unit) > at + read_latency_) taken |= who;
  }
  for (const auto& [resource, path] : kMemoryResources) {
    const WarpSet who = needs(resource) & ready;
    if (who != 0 && !memory_.accepts(path)) taken |= who;
  }
  return taken;
}

/// The first cycle behind now, and no later than `until`, in which a warp may be able to issue that
/// cannot now. Much that memory does on the way there changes nothing for any of them.
Cycle Sm::run_memory_until_change(Cycle until) {
  const Cycle change = std::min(next_change_but_memory(), until);
  for (Cycle at = now_;;) {
    at = std::max(memory_.next_news(), at + Cycles(1));
    if (at >= change) return change;
    memory_.advance(at, completions_);
    if (!completions_.empty() || has_room_for_memory()) return at;
  }
}

/// Whether what a ready warp needs of memory's side takes an instruction.
bool Sm::has_room_for_memory() const {
  return std::any_of(kMemoryResources.begin(), kMemoryResources.end(), [&](const auto& memory) {
    return (needs(memory.resource) & ready_) != 0 && memory_.accepts(memory.path);
  });
}

Cycle Sm::next_change_but_memory() const {
  Cycle next = wheel_.next(now_);
  if (ready_ == 0) return next;
  const Cycle soon = now_ + Cycles(1);
  for (const Cycle from : issues_from_) {
    if (from > now_) next = std::min(next, from);
  }
  for (const UnitKind unit :
       {UnitKind::integer, UnitKind::fp32, UnitKind::fp64, UnitKind::special}) {
    if ((needs_[static_cast<std::size_t>(unit)] & ready_) == 0) continue;
    const Cycle free = units_.free_from(unit);
    next = std::min(next,
                    free > soon + read_latency_ ? Cycle(free.number - read_latency_.count) : soon);
  }
  const Cycle operands = operands_->free_from(now_);
  if (operands > now_) next = std::min(next, operands);
  return next;
}

/// Puts cycles without issue down to the cause of the warp that is nearest to issuing, of those
/// that the scheduler chooses from if there are any.
void Sm::account(std::uint32_t scheduler, std::uint64_t cycles) {
  const WarpSet mine = of_scheduler_[scheduler];
  const WarpSet passed_over = schedulers_[scheduler]->passed_over();
  std::optional<StallCause> cause = nearest_cause(scheduler, mine & ~passed_over);
  if (!cause && passed_over != 0) cause = nearest_cause(scheduler, mine);
  (cause ? counters_.scheduler[static_cast<std::size_t>(*cause)] : counters_.no_warps) += cycles;
}

std::optional<StallCause> Sm::nearest_cause(std::uint32_t scheduler, WarpSet warps) const {
  if (const WarpSet stuck = ready_ & warps; stuck != 0) return nearest_throttle(scheduler, stuck);
  for (std::size_t cause = 0; cause < kStallCauses; ++cause) {
    if ((waiting_[cause] & warps) != 0) return static_cast<StallCause>(cause);
  }
  return std::nullopt;
}

Sm::Throttled Sm::throttled(WarpSet stuck) const {
  const WarpSet lg = stuck & needs(Resource::global);
  const WarpSet mio =
      stuck & (needs(Resource::shared) | needs(Resource::constant) | needs(Resource::texture));
  return {.math = stuck & ~lg & ~mio, .mio = mio, .lg = lg};
}

/// Why warps that are ready cannot issue: the first cause that one of them has.
StallCause Sm::nearest_throttle(std::uint32_t scheduler, WarpSet stuck) const {
  if (issues_from_[scheduler] > now_ || operands_->free_from(now_) > now_) {
    return StallCause::dispatch;
  }
  const Throttled by_need = throttled(stuck);  // In StallCause's order.
  if (by_need.math != 0) return StallCause::math_pipe_throttle;
  return by_need.mio != 0 ? StallCause::mio_throttle : StallCause::lg_throttle;
}

/// The warps that are ready, and did not issue.
void Sm::account_ready(WarpSet eligible, WarpSet held, std::uint64_t cycles) {
  const auto count = [cycles](WarpSet warps) {
    return static_cast<std::uint64_t>(std::popcount(warps)) * cycles;
  };
  const auto cause = [this](StallCause of) -> std::uint64_t& {
    return counters_.warp[static_cast<std::size_t>(of)];
  };
  const WarpSet stuck = ready_ & ~eligible & ~held;
  counters_.not_selected += count(ready_ & eligible);
  cause(StallCause::dispatch) += count(ready_ & held);
  if (stuck == 0) return;
  if (operands_->free_from(now_) > now_) {
    cause(StallCause::dispatch) += count(stuck);
    return;
  }
  const Throttled by_need = throttled(stuck);
  cause(StallCause::math_pipe_throttle) += count(by_need.math);
  cause(StallCause::mio_throttle) += count(by_need.mio);
  cause(StallCause::lg_throttle) += count(by_need.lg);
}

Cycle Sm::next_event() const {
  if (resident_blocks_ == 0) return memory_.next_event();
  if (ready_ != 0 || fenced_ != 0) return now_;
  Cycle next = std::min(wheel_.next(Cycle(now_.number - 1)), memory_.next_event());
  for (const TakenBlock& taken : taken_blocks_) next = std::min(next, taken.at);
  return next;
}

void Sm::begin_counting(Cycle at) {
  now_ = at;
  counted_until_ = at;
  residents_since_ = at;
}

void Sm::settle(Cycle at) {
  note_residents(at);
  if (travel_ != Travel::warps) {
    for (WarpSet left = all_slots_ & ~free_slots_; left != 0; left &= left - 1) {
      Slot& slot = slots_[static_cast<std::size_t>(std::countr_zero(left))];
      if (!slot.starting) count_wait(slot, at);
    }
    return count_without_warps(at);
  }
  for (Resident& resident : residents_) {
    if (resident.grid == nullptr) continue;
    for (std::uint32_t w = 0; w < resident.grid->needs.warps; ++w) {
      Slot& slot = slots_[resident.homes[w]];
      if (!slot.ended && !slot.starting) count_wait(slot, at);
    }
  }
  count_without_warps(at);
}

/// Cycles that nobody has counted had nobody resident.
void Sm::count_without_warps(Cycle until) {
  if (counted_until_ >= until) return;
  counters_.no_warps += (until - counted_until_).count * schedulers_.size();
  counted_until_ = until;
}

void Sm::forget_launches() {
  memory_.invalidate();
  front_end_.invalidate();
  for (Resident& resident : residents_) resident.block.reset();
}

void Sm::declare(CounterList& counters) {
  counters_.declare(counters);
  counters.part("icache", front_end_);
  counters.part("branch", *branch_);
  counters.part("operands", *operands_);
  counters.part("units", units_);
  memory_.declare(counters);
}

}  // namespace heddle::sm
