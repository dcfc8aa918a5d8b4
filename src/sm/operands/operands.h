#pragma once

// The interface of operand policies: register files, which deliver the operands of instructions and
// take their results. Policies that add levels of registers, or observe more than the accesses,
// have further interfaces (operand_interfaces.h).

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/bank_ports.h"
#include "sm/ids.h"
#include "sm/operands/issued_instruction.h"
#include "sm/operands/operand_interfaces.h"
#include "sm/operands/operands_description.h"

namespace heddle::sm {

/// Counters that every policy has, because the energy model uses them. Their unit is a register of
/// a warp.
struct OperandCounters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  void declare(CounterList& counters);
};

/// An operand policy: a register file that delivers the operands of instructions and takes their
/// results. Lists of registers are in the numbering of an IssueTable, and may contain predicates.
/// Predicates cost nothing: they are a few bits per warp outside the register file.
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
  /// Books the reads of an instruction that issues at `now`. `now` must not be before
  /// free_from(now), nor before the issue of the previous instruction. Returns the cycle in which
  /// the operands go to the unit, `now` at the earliest.
  virtual Cycle read(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) = 0;
  /// Books the write-back of results that are computed at `done`. Returns the cycle from which they
  /// can be read, `done` at the earliest. Write-backs may be booked in any order, and ahead of
  /// time.
  virtual Cycle write(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) = 0;
  /// The number of banks, and the bank of a register: from 0 on. A file without banks is one bank.
  virtual std::uint32_t banks() const { return 1; }
  virtual std::uint32_t bank_of(WarpSlot, std::uint16_t /*number*/) const { return 0; }
  /// The ports of the banks, for other storage in the same banks. From now on they show all
  /// accesses to registers. Null for a file without banks.
  virtual BankPorts* share_ports() { return nullptr; }
  virtual void declare(CounterList& counters) = 0;
  /// The further interfaces of the policy. The result is the same for each call.
  virtual OperandInterfaces interfaces() { return {}; }

  /// read(), for the source registers that the instruction accesses.
  Cycle read_accessed(const IssuedInstruction& issued, Cycle now) {
    const std::span<const std::uint16_t> registers = issued.table.reads(issued.info);
    if (issued.accessed.reads.has_all()) [[likely]]
      return read(issued.warp, registers, now);
    return read_selected(issued.warp, registers, issued.accessed.reads, now);
  }
  /// write(), for the result registers that the instruction accesses.
  Cycle write_accessed(const IssuedInstruction& issued, Cycle done) {
    const std::span<const std::uint16_t> registers = issued.table.writes(issued.info);
    if (issued.accessed.writes.has_all()) [[likely]]
      return write(issued.warp, registers, done);
    return write_selected(issued.warp, registers, issued.accessed.writes, done);
  }

 private:
  Cycle read_selected(WarpSlot warp, std::span<const std::uint16_t> registers,
                      RegisterSelection selection, Cycle now);
  Cycle write_selected(WarpSlot warp, std::span<const std::uint16_t> registers,
                       RegisterSelection selection, Cycle done);
};

struct OperandProperties {
  /// Whether the policy is a register file with all registers. If not, it adds levels above the
  /// register file of another policy, or only observes that file.
  bool is_register_file = true;
  Cycles branch_cycles{};                      ///< See OperandDescription::branch_cycles().
  bool suspends_by_marks = false;              ///< See OperandDescription::suspends_by_marks().
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
