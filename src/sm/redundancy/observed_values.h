#pragma once

// What is counted of the values that passes compute, for each class of instructions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/counters.h"
#include "base/enum_array.h"
#include "base/lane_mask.h"
#include "sm/instructions/issue_table.h"
#include "sm/redundancy/recent_passes.h"

namespace heddle::sm {

/// The instructions with results, except atomics: by unit, or by the memory that a load names.
enum class ObservedClass : std::uint8_t {
  integer,
  fp32,
  fp64,
  special,
  predicate,  ///< Any unit; all results are predicates.
  shared_load,
  global_load,
  constant_load,
  other_load,  ///< Local memory, textures, and generic addresses.
};
inline constexpr std::size_t kObservedClasses = values_up_to(ObservedClass::other_load);
template <class Value>
using ByObservedClass = EnumArray<ObservedClass, Value, kObservedClasses>;

constexpr bool is_load(ObservedClass observed) { return observed >= ObservedClass::shared_load; }
/// "integer"
std::string_view name_of(ObservedClass observed);
/// The class of an instruction that writes these registers and predicates; empty if it has none.
std::optional<ObservedClass> observed_class_of(const IssueInfo& instruction,
                                               std::span<const std::uint16_t> writes);

/// Passes in which at least one lane is active, and the active lanes of these passes.
struct PassCount {
  std::uint64_t passes = 0;
  std::uint64_t threads = 0;

  void add(LaneMask active) {
    ++passes;
    threads += static_cast<std::uint64_t>(active.count());
  }
};

/// Passes, and those of them that computed what one of the recent passes had computed.
struct RepeatedPassCount {
  PassCount all{};
  PassCount equal_to_other_warp{};
  PassCount equal_to_same_warp{};

  void add(LaneMask active, EqualPass equal);
  void declare(CounterList& counters);
};

struct ObservedClassCounters {
  // Every pass is counted in one of these three. It is uniform if its active lanes have the same
  // source values and the same results.
  RepeatedPassCount uniform_full{};     ///< Uniform; all 32 lanes are active.
  RepeatedPassCount uniform_partial{};  ///< Uniform; some lanes are not active.
  RepeatedPassCount varying{};
  PassCount affine{};  ///< Those of `varying` whose result is base + lane * stride.

  void declare(CounterList& counters);
};

struct ObservedValues {
  ByObservedClass<ObservedClassCounters> classes{};
  /// Guarded branches, calls and exits. Their threads are those at the branch.
  PassCount branches{};
  PassCount uniform_branches{};  ///< Those whose guard has the same value in all threads.

  void declare(CounterList& counters);
};

}  // namespace heddle::sm
