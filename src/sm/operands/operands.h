#pragma once

// Where an instruction's values come from, and where its results go.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/answer_registry.h"
#include "sm/ids.h"
#include "sm/operands/operands_description.h"
#include "sm/pipeline/travellers.h"

namespace heddle::sm {

/// What every answer counts, as energy goes by it.
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

/// A pass of one that has been executed and issues: the threads of `pass`, of some of `rows`.
struct IssuedPass : IssuedInstruction {
  std::span<const Row> rows;  ///< All of the instruction's.
  const Pass& pass;
  std::size_t number = 0;  ///< Of the pass, from 0.
};

/// Registers are given in the numbering of an IssueTable. Predicates among them cost nothing: they
/// are a few bits a warp, kept apart from the register file.
class Operands {
 public:
  Operands() = default;
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;
  virtual ~Operands() = default;

  /// The first cycle, `now` or later, in which another instruction can be taken up.
  virtual Cycle free_from(Cycle now) const = 0;
  /// From issue to the values' arrival at their unit, where nothing conflicts.
  virtual Cycles read_latency() const = 0;

  // -- the register file --------------------------------------------------------------------------
  /// An instruction that reads `registers` issues at `now`, which is not before free_from(now) nor
  /// before the instruction ahead of it: returns the cycle in which its values go to its unit,
  /// `now` at the earliest.
  virtual Cycle read(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) = 0;
  /// Its results come at `done`: returns the cycle from which they can be read, `done` at the
  /// earliest. Results may be announced in any order, and ahead.
  virtual Cycle write(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) = 0;

  // -- the instructions that it serves: all from the file, unless something lies above it
  // ----------
  /// As read(), of a pass that issues. In the order of issue, and of all passes.
  virtual Cycle read_sources(const IssuedPass& issued, Cycle now) {
    return read(issued.warp, issued.table.reads(issued.info), now);
  }
  /// As write(), of what it results in: as it issues, a pass at a time, or when memory answers.
  virtual Cycle write_results(const IssuedInstruction& issued, Cycle done) {
    return write(issued.warp, issued.table.writes(issued.info), done);
  }
  /// Whether it wants to hear of instructions that read and write nothing through it.
  virtual bool follows_control() const { return false; }
  /// One that has been executed: control, or what concerns the whole chip.
  virtual void passed_by(const IssuedInstruction&, std::span<const Row> /*rows*/, Cycle /*now*/) {}
  /// By how much later a branch is resolved.
  virtual Cycles branch_cycles() const { return Cycles(0); }
  /// Whether the compiler says where a warp is suspended (IssueInfo::suspends), and not what it
  /// waits for.
  virtual bool suspends_by_marks() const { return false; }

  // Of schedulers that choose from an active set of warps; under others no warp is activated or
  // suspended. A warp starts suspended, and reads nothing then; what memory brings is written.
  /// It may issue from `now` on.
  virtual void activated(WarpSlot, Cycle /*now*/) {}
  /// It was active, and issues nothing from `now` on.
  virtual void suspended(WarpSlot, Cycle /*now*/) {}
  /// Whatever the scheduler, and whether it was active or not: the warp has ended or, where warps
  /// are formed anew, its threads go on as other warps.
  virtual void ended(WarpSlot, Cycle /*now*/) {}

  virtual void declare(CounterList& counters) = 0;
};

struct OperandProperties {
  std::vector<std::string> sketch{};           ///< OperandDescription::sketch
  std::optional<code::Hierarchy> hierarchy{};  ///< OperandDescription::hierarchy
};

struct OperandSeam {
  using Answer = Operands;
  using Description = OperandDescription;
  using Place = OperandDescription;
  using Context = SmDescription;
  using Properties = OperandProperties;
};
using OperandsRegistry = config::AnswerRegistry<OperandSeam>;

/// The answer that the description names.
std::unique_ptr<Operands> make_operands(const OperandDescription& description);

}  // namespace heddle::sm
