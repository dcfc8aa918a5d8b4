#pragma once

// Is it worth computing again? What lanes or warps would all compute alike may go through its unit
// once, in part, or not at all (vectors of one value, scalar register files, reuse of results).

#include <cstdint>
#include <memory>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/answer_registry.h"
#include "sm/redundancy/pass_values.h"
#include "sm/redundancy/redundancy_description.h"

namespace heddle::sm {

/// What becomes of a pass of an arithmetic instruction. The default is a pass as any other.
struct Plan {
  static constexpr std::uint32_t kAllSlices = 32;

  /// Of those in which its unit takes a warp up, how many go through it, at most; 0: the unit is
  /// skipped.
  std::uint32_t slices = kAllSlices;
  Cycles skipped{1};         ///< Where it is: from the values' arrival to the results' use.
  std::uint32_t copies = 0;  ///< Moves of registers that issue ahead of the pass, a turn each.
  Cycles held{};  ///< For so long after the instruction's last pass its scheduler issues nothing.
};

/// Results are right whatever an answer says: it decides what a pass takes, not what is computed.
class Redundancy {
 public:
  Redundancy() = default;
  Redundancy(const Redundancy&) = delete;
  Redundancy& operator=(const Redundancy&) = delete;
  virtual ~Redundancy() = default;

  /// A pass of an arithmetic instruction is about to be executed: the registers that it reads hold
  /// what it will read, and those that it writes what they held before. An instruction's passes are
  /// all planned, in their order, before the first is executed.
  virtual Plan plan(const PassValues& before) = 0;
  /// A pass of any instruction has been executed: the registers that it writes hold its results,
  /// but for those of an atomic on global memory, which come later. Of a load, `after` also has
  /// the addresses.
  virtual void executed(const PassValues& after) = 0;
  virtual void declare(CounterList& counters) = 0;
};

struct RedundancySeam {
  using Answer = Redundancy;
  using Description = RedundancyDescription;
  using Place = RedundancyDescription;
  using Context = SmDescription;
  using Properties = config::NoProperties;
};
using RedundancyRegistry = config::AnswerRegistry<RedundancySeam>;

/// The answer that the description names; null where every instruction is computed as it is.
std::unique_ptr<Redundancy> make_redundancy(const RedundancyDescription& description);

}  // namespace heddle::sm
