#include "sm/redundancy/observed_values.h"

#include <algorithm>

namespace heddle::sm {
namespace {

std::optional<ObservedClass> class_of_unit(UnitKind unit) {
  switch (unit) {
    case UnitKind::integer:
      return ObservedClass::integer;
    case UnitKind::fp32:
      return ObservedClass::fp32;
    case UnitKind::fp64:
      return ObservedClass::fp64;
    case UnitKind::special:
      return ObservedClass::special;
    case UnitKind::memory:
    case UnitKind::texture:
    case UnitKind::control:
      return std::nullopt;
  }
  return std::nullopt;
}

ObservedClass class_of_load(MemoryRoute route) {
  switch (route) {
    case MemoryRoute::shared:
      return ObservedClass::shared_load;
    case MemoryRoute::global:
      return ObservedClass::global_load;
    case MemoryRoute::constant:
      return ObservedClass::constant_load;
    case MemoryRoute::none:
    case MemoryRoute::local:
    case MemoryRoute::generic:
      return ObservedClass::other_load;
  }
  return ObservedClass::other_load;
}

}  // namespace

std::string_view name_of(ObservedClass observed) {
  constexpr ByObservedClass<std::string_view> kNames{{"integer", "fp32", "fp64", "special",
                                                      "predicate", "shared_load", "global_load",
                                                      "constant_load", "other_load"}};
  return kNames[observed];
}

std::optional<ObservedClass> observed_class_of(const IssueInfo& instruction,
                                               std::span<const std::uint16_t> writes) {
  if (writes.empty()) return std::nullopt;
  switch (instruction.kind) {
    case InstructionKind::arithmetic:
      if (std::all_of(writes.begin(), writes.end(),
                      [](std::uint16_t number) { return number >= kFirstPredicate; })) {
        return ObservedClass::predicate;
      }
      return class_of_unit(instruction.unit);
    case InstructionKind::load:
    case InstructionKind::texture:
      return class_of_load(instruction.route);
    case InstructionKind::store:
    case InstructionKind::atomic:
    case InstructionKind::branch:
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::chip_wide:
    case InstructionKind::other:
      return std::nullopt;
  }
  return std::nullopt;
}

void RepeatedPassCount::add(LaneMask active, EqualPass equal) {
  all.add(active);
  switch (equal) {
    case EqualPass::none:
      return;
    case EqualPass::of_same_warp:
      return equal_to_same_warp.add(active);
    case EqualPass::of_other_warp:
      return equal_to_other_warp.add(active);
  }
}

void RepeatedPassCount::declare(CounterList& counters) {
  counters.add("passes", all.passes, "passes", "with such values in their active lanes");
  counters.add("threads", all.threads, "thread operations", "of these passes");
  counters.add("equal_to_other_warp_passes", equal_to_other_warp.passes, "passes",
               "that computed the same as one of the recent passes of another warp");
  counters.add("equal_to_other_warp_threads", equal_to_other_warp.threads, "thread operations",
               "of these passes");
  counters.add("equal_to_same_warp_passes", equal_to_same_warp.passes, "passes",
               "that computed the same as a recent pass, but only of the same warp");
  counters.add("equal_to_same_warp_threads", equal_to_same_warp.threads, "thread operations",
               "of these passes");
}

void ObservedClassCounters::declare(CounterList& counters) {
  counters.part("uniform_full", uniform_full);
  counters.part("uniform_partial", uniform_partial);
  counters.part("varying", varying);
  counters.add("affine_passes", affine.passes, "passes",
               "with varying values whose integer result is base + lane * stride");
  counters.add("affine_threads", affine.threads, "thread operations", "of these passes");
}

void ObservedValues::declare(CounterList& counters) {
  for (std::size_t i = 0; i < kObservedClasses; ++i) {
    const ObservedClass each = ByObservedClass<ObservedClassCounters>::index_at(i);
    counters.part(name_of(each), classes[each]);
  }
  counters.add("branch.passes", branches.passes, "passes", "of guarded branches, calls and exits");
  counters.add("branch.threads", branches.threads, "threads", "at these branches");
  counters.add("branch.uniform_passes", uniform_branches.passes, "passes",
               "of guarded branches, calls and exits whose threads all go the same way");
  counters.add("branch.uniform_threads", uniform_branches.threads, "threads", "at these branches");
}

}  // namespace heddle::sm
