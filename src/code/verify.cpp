#include "code/verify.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "code/control_flow.h"
#include "code/effects.h"
#include "code/liveness.h"

namespace heddle::code {
namespace {

class Verifier {
 public:
  Verifier(const Function& function, CodeForm form, const VerifyLimits& limits)
      : function_(function), form_(form), limits_(limits) {}

  std::optional<std::string> run() {
    for (block_ = 0; block_ < function_.blocks.size(); ++block_) {
      const auto& instructions = function_.blocks[block_].instructions;
      for (index_ = 0; index_ < instructions.size(); ++index_) {
        check(instructions[index_], index_ + 1 == instructions.size());
        if (defect_) return defect_;
      }
    }
    if (!function_.blocks.empty() && form_ == CodeForm::virtual_registers) check_reads();
    return defect_;
  }

 private:
  template <class... Arguments>
  void report(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (defect_) return;
    defect_ = fmt::format("{}: block {}, instruction {}", function_.name, block_, index_);
    const auto& instructions = function_.blocks[block_].instructions;
    if (index_ < instructions.size()) {
      *defect_ += fmt::format(" ({})", name_of(instructions[index_].operation));
    }
    *defect_ += ": " + fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  void check(const Instruction& instruction, bool is_last) {
    for (const Operand& destination : instruction.destinations) {
      if (destination.present() && !destination.is_register() && !destination.is_predicate()) {
        report("a destination is neither register nor predicate");
      }
      check_operand(destination);
    }
    for (const Operand& source : instruction.sources) check_operand(source);
    if (instruction.guard.present()) {
      check_operand(Operand::predicate(instruction.guard.predicate));
    }
    if (!is_last &&
        (instruction.operation == Operation::branch ||
         instruction.operation == Operation::branch_indexed || ends_path(instruction))) {
      report("control leaves before the block's end");
    }
    if (instruction.operation == Operation::branch) check_target(instruction.target);
    if (instruction.operation == Operation::branch_indexed) {
      if (instruction.target >= function_.branch_tables.size()) {
        report("branch table {} does not exist", instruction.target);
        return;
      }
      const auto& table = function_.branch_tables[instruction.target];
      if (table.empty()) report("branch table {} is empty", instruction.target);
      for (const BlockIndex target : table) check_target(target);
    }
  }

  void check_target(BlockIndex target) {
    if (target >= function_.blocks.size()) report("block {} does not exist", target);
  }

  void check_operand(const Operand& operand) {
    const bool is_allocated = form_ == CodeForm::allocated;
    if (operand.is_predicate()) {
      const std::uint32_t count = is_allocated ? limits_.predicates : function_.predicates;
      if (operand.index >= count) report("predicate {} does not exist", operand.index);
    }
    if (!operand.is_register()) return;
    if (operand.width != 1 && operand.width != 2 && operand.width != 4) {
      report("{} registers cannot be one operand", operand.width);
    } else if (!is_allocated) {
      if (operand.index >= function_.registers.size()) {
        report("register {} does not exist", operand.index);
      } else if (function_.registers[operand.index].width != operand.width) {
        report("register {} is {} wide, its operand {}", operand.index,
               function_.registers[operand.index].width, operand.width);
      }
    } else if (operand.index + operand.width > limits_.registers) {
      report("register {} is beyond the limit", operand.index);
    } else if (operand.index % operand.width != 0) {
      report("register {} is not aligned to {}", operand.index, operand.width);
    }
  }

  /// Every read must be reached by a write on some path.
  void check_reads() {
    const ValueNumbering values(function_);
    const Graph control_flow = control_flow_of(function_);
    std::vector<std::vector<bool>> written(function_.blocks.size(),
                                           std::vector<bool>(values.count()));
    const std::vector<std::uint32_t> order = control_flow.reverse_post_order(0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t block : order) {
        std::vector<bool> now = written_before(control_flow, written, block);
        for (const Instruction& instruction : function_.blocks[block].instructions) {
          for_each_written(instruction,
                           [&](const Operand& operand) { now[values.number_of(operand)] = true; });
        }
        if (now != written[block]) {
          written[block] = std::move(now);
          changed = true;
        }
      }
    }
    for (const std::uint32_t block : order) {
      std::vector<bool> now = written_before(control_flow, written, block);
      block_ = block;
      const auto& instructions = function_.blocks[block].instructions;
      for (index_ = 0; index_ < instructions.size(); ++index_) {
        const Instruction& instruction = instructions[index_];
        const auto read = [&](std::uint32_t value) {
          if (now[value]) return;
          report("{} {} is read but never written",
                 values.is_predicate(value) ? "predicate" : "register", values.index_of(value));
        };
        for_each_read(instruction,
                      [&](const Operand& operand) { read(values.number_of(operand)); });
        if (instruction.guard.present()) read(values.number_of(instruction.guard));
        for_each_written(instruction,
                         [&](const Operand& operand) { now[values.number_of(operand)] = true; });
      }
    }
  }

  static std::vector<bool> written_before(const Graph& control_flow,
                                          const std::vector<std::vector<bool>>& written,
                                          std::uint32_t block) {
    std::vector<bool> now(written[block].size());
    for (const std::uint32_t before : control_flow.predecessors(block)) {
      for (std::size_t i = 0; i < now.size(); ++i) now[i] = now[i] || written[before][i];
    }
    return now;
  }

  const Function& function_;
  CodeForm form_;
  VerifyLimits limits_;
  std::optional<std::string> defect_;
  BlockIndex block_ = 0;
  std::size_t index_ = 0;
};

}  // namespace

std::optional<std::string> find_defect(const Function& function, CodeForm form,
                                       const VerifyLimits& limits) {
  return Verifier(function, form, limits).run();
}

}  // namespace heddle::code
