#pragma once

// The interface of operand policies: register files, and levels of registers above them, which
// deliver the operands of instructions and take their results.

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

/// Counters that every policy has, because the energy model uses them. Their unit is a register of
/// a warp.
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

/// A pass, which issues, of an instruction that has been executed. (A pass is a set of threads in
/// different lanes that go through a unit together.) Its threads belong to one or more of
/// `static_warps`.
struct IssuedPass : IssuedInstruction {
  std::span<const StaticWarp> static_warps;  ///< All static warps of the instruction.
  const Pass& pass;
  std::size_t number = 0;  ///< The number of the pass in the instruction, from 0 on.
};

/// An operand policy. Lists of registers are in the numbering of an IssueTable, and may contain
/// predicates. Predicates cost nothing: they are a few bits per warp outside the register file.
class Operands {
 public:
  Operands() = default;
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;
  virtual ~Operands() = default;

  /// The first cycle, `now` or later, in which another instruction can issue.
  virtual Cycle free_from(Cycle now) const = 0;
  /// The latency from issue to the arrival of the operands at their unit, without bank conflicts.
  virtual Cycles read_latency() const = 0;

  // -- the register file --------------------------------------------------------------------------
  /// Books the reads of an instruction that issues at `now`. `now` must not be before
  /// free_from(now), nor before the issue of the previous instruction. Returns the cycle in which
  /// the operands go to the unit, `now` at the earliest.
  virtual Cycle read(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) = 0;
  /// Books the write-back of results that are computed at `done`. Returns the cycle from which they
  /// can be read, `done` at the earliest. Write-backs may be booked in any order, and ahead of
  /// time.
  virtual Cycle write(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) = 0;

  // -- instructions (by default, all operands are in the register file) ---------------------------
  /// As read(), for the sources of a pass that issues. Called for each pass, in order of issue.
  virtual Cycle read_sources(const IssuedPass& issued, Cycle now) {
    return read(issued.warp, issued.table.reads(issued.info), now);
  }
  /// As write(), for the results of an instruction: of a pass, at issue, if their time is known
  /// then; otherwise of the whole instruction, when memory has responded.
  virtual Cycle write_results(const IssuedInstruction& issued, Cycle done) {
    return write(issued.warp, issued.table.writes(issued.info), done);
  }
  /// Whether observe_control() must be called.
  virtual bool observes_control() const { return false; }
  /// Reports an executed instruction whose operands are not read and written through this policy: a
  /// control instruction, or a chip-wide one, which is executed between epochs.
  virtual void observe_control(const IssuedInstruction&,
                               std::span<const StaticWarp> /*static_warps*/, Cycle /*now*/) {}
  /// The delay that the policy adds to the resolution of a branch.
  virtual Cycles branch_cycles() const { return Cycles(0); }
  /// Whether warps are suspended at marks of the compiler (IssueInfo::suspends). If not, a warp is
  /// suspended when it begins a long wait.
  virtual bool suspends_by_marks() const { return false; }

  // -- events of two-level schedulers, which have an active set of warps --------------------------
  // Other schedulers neither activate nor suspend warps. A warp is suspended when it starts. A
  // suspended warp reads no registers, but data from memory may be written to its registers.
  /// The warp may issue from `now` on.
  virtual void activated(WarpSlot, Cycle /*now*/) {}
  /// The warp was active. It does not issue from `now` on.
  virtual void suspended(WarpSlot, Cycle /*now*/) {}
  /// The warp has ended or, with dynamic warp formation, its threads continue in other warps.
  /// Called with any scheduler, for active and for suspended warps.
  virtual void ended(WarpSlot, Cycle /*now*/) {}

  virtual void declare(CounterList& counters) = 0;
};

struct OperandProperties {
  /// Whether the policy is a register file with all registers. If not, it adds levels above the
  /// register file of another policy, or only observes that file.
  bool is_register_file = true;
  std::vector<std::string> sketch{};           ///< See OperandDescription::sketch().
  std::optional<code::Hierarchy> hierarchy{};  ///< See OperandDescription::hierarchy().
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
