#include "sm/redundancy/value_observer.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "base/value_type.h"
#include "sm/redundancy/affine.h"

namespace heddle::sm {
namespace {

/// Appends a row for each register or predicate.
void append_rows(const PassValues& values, std::span<const std::uint16_t> numbers,
                 ComputedPass& pass) {
  for (const std::uint16_t number : numbers) {
    for (LaneMask rest = pass.active; !rest.empty(); rest = rest.without_lowest()) {
      pass.values.push_back(values.value(number, rest.lowest()));
    }
  }
}

/// Whether each row has the same value in all lanes.
bool is_uniform(const ComputedPass& pass) {
  const auto lanes = static_cast<std::size_t>(pass.active.count());
  for (std::size_t row = 0; row < pass.values.size(); row += lanes) {
    const std::uint32_t* const first = pass.values.data() + row;
    if (std::any_of(first, first + lanes, [&](std::uint32_t value) { return value != *first; })) {
      return false;
    }
  }
  return true;
}

/// Whether the instruction has one result, an integer of 32 or 64 bits, and it is affine.
bool has_affine_result(const PassValues& after, LaneMask active) {
  const code::Instruction& instruction = after.code();
  if (instruction.destinations.size() != 1 || !is_integer_or_bits(instruction.type)) return false;
  const code::Operand& result = instruction.destinations[0];
  if (!result.is_register() || result.width > 2) return false;
  std::array<std::uint64_t, kWarpSize> values{};
  std::size_t count = 0;
  for (LaneMask rest = active; !rest.empty(); rest = rest.without_lowest()) {
    values[count++] = after.register_value(result, rest.lowest());
  }
  return is_affine(active, {values.data(), count}, 32 * result.width);
}

}  // namespace

void ValueObserver::started(WarpSlot warp, std::span<const StaticWarp> static_warps, Cycle now) {
  for (const StaticWarp& static_warp : static_warps) {
    static_warps_[static_warp.hardware_warp] = ++started_;
  }
  if (policy_ != nullptr) policy_->started(warp, static_warps, now);
}

Plan ValueObserver::plan(const PassValues& before, Cycle now) {
  if (observed_class_of(before.instruction(), before.writes())) {
    record_sources(before, passes_[planned_]);
  }
  ++planned_;
  return policy_ != nullptr ? policy_->plan(before, now) : Plan{};
}

void ValueObserver::record_sources(const PassValues& before, ComputedPass& pass) const {
  pass.launch = before.launch();
  pass.pc = before.pc();
  pass.active = before.active();
  pass.static_warps.fill(0);
  for (LaneMask rest = pass.active; !rest.empty(); rest = rest.without_lowest()) {
    const int lane = rest.lowest();
    pass.static_warps[static_cast<std::size_t>(lane)] = static_warps_[before.hardware_warp(lane)];
  }
  pass.values.clear();
  append_rows(before, before.reads(), pass);
}

void ValueObserver::observe_executed(const PassValues& after, Cycle now) {
  if (policy_ != nullptr) policy_->observe_executed(after, now);
  if (after.instruction().is_conditional) return count_branch(after);
  if (planned_ == 0) return;  // Control and chip-wide instructions.
  ComputedPass& pass = passes_[executed_++];
  if (executed_ == planned_) planned_ = executed_ = 0;
  const std::optional<ObservedClass> observed =
      observed_class_of(after.instruction(), after.writes());
  if (observed && !pass.active.empty()) count(*observed, after, pass);
}

void ValueObserver::count(ObservedClass observed, const PassValues& after, ComputedPass& pass) {
  const LaneMask active = pass.active;
  append_rows(after, after.writes(), pass);
  const bool uniform = is_uniform(pass);
  const EqualPass equal = recent_.add(pass);
  ObservedClassCounters& counters = values_.classes[observed];
  if (uniform) {
    return (active.full() ? counters.uniform_full : counters.uniform_partial).add(active, equal);
  }
  counters.varying.add(active, equal);
  if (has_affine_result(after, active)) counters.affine.add(active);
}

void ValueObserver::count_branch(const PassValues& after) {
  values_.branches.add(after.lanes());
  const LaneMask taken = after.active() & after.lanes();
  if (taken.empty() || taken == after.lanes()) values_.uniform_branches.add(after.lanes());
}

void ValueObserver::declare(CounterList& counters) {
  if (policy_ != nullptr) policy_->declare(counters);
  counters.part("observed", values_);
}

}  // namespace heddle::sm
