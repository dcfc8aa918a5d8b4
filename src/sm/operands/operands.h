#pragma once

// Interface of operand policies: register files, and levels above them, that deliver instructions'
// operands and take their results.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/ids.h"
#include "sm/operands/operands_description.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// Counters that every policy has, because the energy model uses them.
struct OperandCounters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  void declare(CounterList& counters);
};

struct IssuedInstruction {
  WarpSlot warp = 0;
  const IssueTable& table;
  const IssueInfo& info;
};

/// A pass of an instruction that has been executed and issues. The threads of `pass` belong to one
/// or more of `static_warps`.
struct IssuedPass : IssuedInstruction {
  std::span<const StaticWarp> static_warps;  ///< All static warps of the instruction.
  const Pass& pass;
  std::size_t number = 0;  ///< The pass's number, from 0.
};

/// An operand policy. Registers have the numbering of an IssueTable, which includes predicates.
/// Predicates cost nothing: they are a few bits per warp, stored outside the register file.
class Operands {
 public:
  Operands() = default;
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;
  virtual ~Operands() = default;

  /// The first cycle, `now` or later, in which another instruction can issue.
  virtual Cycle free_from(Cycle now) const = 0;
  /// Latency from issue to the operands' arrival at their unit, without conflicts.
  virtual Cycles read_latency() const = 0;

  // -- the register file --------------------------------------------------------------------------
  /// Books the reads of an instruction that issues at `now`, which is neither before free_from(now)
  /// nor before the previous instruction's issue. Returns the cycle in which the operands go to the
  /// unit, `now` at the earliest.
  virtual Cycle read(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) = 0;
  /// Books the write-back of results that are computed at `done`. Returns the cycle from which they
  /// can be read, `done` at the earliest. Write-backs may be booked in any order, and ahead of
  /// time.
  virtual Cycle write(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) = 0;

  // -- instructions; by default all operands are in the register file -----------------------------
  /// read() for the sources of a pass that issues. Called in order of issue, for each pass.
  virtual Cycle read_sources(const IssuedPass& issued, Cycle now) {
    return read(issued.warp, issued.table.reads(issued.info), now);
  }
  /// write() for the results of a pass, called at issue; for loads, called when memory responds.
  virtual Cycle write_results(const IssuedInstruction& issued, Cycle done) {
    return write(issued.warp, issued.table.writes(issued.info), done);
  }
  /// Whether observe_control() is to be called.
  virtual bool observes_control() const { return false; }
  /// Reports an executed instruction whose operands do not go through this policy: a control
  /// instruction, or one that is executed between epochs because it affects the whole chip.
  virtual void observe_control(const IssuedInstruction&,
                               std::span<const StaticWarp> /*static_warps*/, Cycle /*now*/) {}
  /// The delay that the policy adds to the resolution of a branch.
  virtual Cycles branch_cycles() const { return Cycles(0); }
  /// Whether the compiler marks where a warp is suspended (IssueInfo::suspends). Otherwise a warp
  /// is suspended according to what it waits for.
  virtual bool suspends_by_marks() const { return false; }

  // Events of schedulers with an active set (two-level schedulers); other schedulers neither
  // activate nor suspend warps. A warp starts suspended. A suspended warp reads nothing, but data
  // from memory are written.
  /// The warp may issue from `now` on.
  virtual void activated(WarpSlot, Cycle /*now*/) {}
  /// The warp was active, and does not issue from `now` on.
  virtual void suspended(WarpSlot, Cycle /*now*/) {}
  /// The warp has ended or, with dynamic warp formation, its threads continue in other warps.
  /// Called whatever the scheduler, for active and suspended warps.
  virtual void ended(WarpSlot, Cycle /*now*/) {}

  virtual void declare(CounterList& counters) = 0;
};

struct OperandProperties {
  /// Whether the policy holds all registers itself. Otherwise it adds levels above the register
  /// file of another policy, or only observes that file.
  bool is_register_file = true;
  std::vector<std::string> sketch{};           ///< OperandDescription::sketch
  std::optional<code::Hierarchy> hierarchy{};  ///< OperandDescription::hierarchy
};

struct OperandSeam {
  using Policy = Operands;
  using Description = OperandDescription;
  using Place = OperandDescription;
  using Context = SmDescription;
  using Properties = OperandProperties;
};
using OperandsRegistry = config::PolicyRegistry<OperandSeam>;

/// Makes the policy that the description names.
std::unique_ptr<Operands> make_operands(const OperandDescription& description);

}  // namespace heddle::sm
