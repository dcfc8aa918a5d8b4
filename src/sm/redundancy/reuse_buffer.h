#pragma once

// The instruction reuse buffer (IRB; Xiang's dissertation, Toward Efficient SIMT Execution, section
// 2.4.3): the sources and results of the uniform instructions that a multiprocessor's warps have
// executed last. An instruction that has been computed before takes its result from there.

#include <array>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/inline_vector.h"
#include "code/instruction.h"
#include "sm/redundancy/fault_injector.h"
#include "sm/redundancy/pass_values.h"
#include "sm/redundancy/redundancy_description.h"

namespace heddle::sm {

/// Lists the bits of the buffer, for the policies that have one.
void list_reuse_buffer(config::StorageList& list);

struct ReuseCounters {
  std::uint64_t lookups = 0;
  std::uint64_t hits = 0;
  std::uint64_t updates = 0;
  std::uint64_t wrong_results = 0;
};

/// The buffer finds an instruction by a part of its program counter and by its opcode. Launches do
/// not share entries.
class ReuseBuffer {
 public:
  explicit ReuseBuffer(const RedundancyDescription& description);

  /// Looks up a uniform instruction that has not been executed yet. Returns whether its result is
  /// in the buffer at `now`. If not, and the instruction has a form that fits an entry, it takes
  /// its entry, or the least recently used one, for its sources. The result is missing until
  /// set_computed().
  /// `faults`: the multiprocessor's fault injector, or null.
  bool look_up(const PassValues& before, Cycle now, FaultInjector* faults);
  /// The result of the instruction that was looked up last exists from `at` on.
  void set_computed(Cycle at);
  /// The words of the result that look_up() has found in the buffer, one for each register or
  /// predicate that the instruction writes. `after`: the instruction has been executed, but
  /// observe_executed() has not been called.
  using ResultWords = InlineVector<std::uint32_t, 2>;
  ResultWords found_result(const PassValues& after) const;
  /// The instruction that was looked up last has been executed.
  void observe_executed(const PassValues& after);

  void declare(CounterList& counters);

 private:
  static constexpr std::size_t kSources = 3;  ///< An entry has three source values.

  struct Source {
    code::Operand::Kind kind = code::Operand::Kind::none;
    std::uint64_t value = 0;
    friend bool operator==(const Source&, const Source&) = default;
  };
  using Sources = std::array<Source, kSources>;
  struct Entry {
    const code::Instruction* code = nullptr;  ///< Null if the entry is empty.
    LaunchKey launch{};
    std::uint32_t partial_pc = 0;
    Sources sources{};
    std::uint64_t result = 0;
    Cycle has_result_from = Cycle::never();
    std::uint64_t last_use = 0;
  };
  /// What happens to the entry of the instruction that was looked up last.
  enum class Pending : std::uint8_t { nothing, gets_result, result_is_used };

  bool fits(const code::Instruction& instruction) const;
  static Source source_of(const code::Operand& operand, const PassValues& before);
  Entry* find(const PassValues& before);

  std::uint32_t operand_words_;  ///< The size of a source or of a result, in 32-bit words.
  std::vector<Entry> entries_;
  std::uint64_t uses_ = 0;
  Entry* looked_up_ = nullptr;
  Pending pending_ = Pending::nothing;
  ReuseCounters counters_;
};

}  // namespace heddle::sm
