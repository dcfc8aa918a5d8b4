#include "issue_slots.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sm/stalls/stall_cause.h"

namespace heddle {
namespace {

/// The slots that were empty for each stall cause (counters `scheduler.*`), in the order of
/// sm::StallCause; 0 for a cause that the machine does not count.
std::array<std::uint64_t, sm::kStallCauses> stall_slots(const Figures& figures,
                                                        const Timing& timing) {
  std::array<std::uint64_t, sm::kStallCauses> cycles{};
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    const auto cause = static_cast<sm::StallCause>(i);
    cycles[i] = figures.counter(timing, "scheduler." + std::string(sm::name_of(cause))).value_or(0);
  }
  return cycles;
}

/// The slots in which an instruction was issued, under `name`. If branches are predicted, the slots
/// of instructions after a mispredicted branch follow as wrong_path.
IssueSlots slots_with_issue(std::string_view name, const Figures& figures, const Timing& timing) {
  IssueSlots slots;
  slots.emplace_back(name, figures.counter(timing, "scheduler.selected").value_or(0));
  if (const auto cycles = figures.counter(timing, "scheduler.wrong_path")) {
    slots.emplace_back("wrong_path", *cycles);
  }
  return slots;
}

}  // namespace

IssueSlots issue_slots(const Figures& figures, const Timing& timing) {
  const auto cycles = stall_slots(figures, timing);
  IssueSlots slots = slots_with_issue("selected", figures, timing);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    slots.emplace_back(sm::name_of(static_cast<sm::StallCause>(i)), cycles[i]);
  }
  slots.emplace_back("no_warps", figures.counter(timing, "scheduler.no_warps").value_or(0));
  return slots;
}

IssueSlots preexec_issue_slots(const Figures& figures, const Timing& timing) {
  const auto cycles = stall_slots(figures, timing);
  std::array<std::uint64_t, sm::kPreexecClasses> classes{};
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    classes[static_cast<std::size_t>(sm::class_of(static_cast<sm::StallCause>(i)))] += cycles[i];
  }
  IssueSlots slots = slots_with_issue("issued", figures, timing);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    slots.emplace_back(sm::name_of(static_cast<sm::PreexecClass>(i)), classes[i]);
  }
  slots.emplace_back("no_warps", figures.counter(timing, "scheduler.no_warps").value_or(0));
  return slots;
}

std::uint64_t total_of(const IssueSlots& slots) {
  std::uint64_t sum = 0;
  for (const auto& [name, cycles] : slots) sum += cycles;
  return sum;
}

}  // namespace heddle
