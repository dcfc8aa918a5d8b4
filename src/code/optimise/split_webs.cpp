#include <numeric>
#include <utility>

#include "code/effects.h"
#include "code/liveness.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

/// Union-find sets of operands and of values at block borders. Each set becomes a web: definitions
/// that reach a common use.
class DefinitionSets {
 public:
  std::uint32_t add() {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return parent_.back();
  }
  std::uint32_t find(std::uint32_t element) {
    while (parent_[element] != element) {
      parent_[element] = parent_[parent_[element]];
      element = parent_[element];
    }
    return element;
  }
  void unite(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }
  std::size_t size() const { return parent_.size(); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Gives every operand an element of a DefinitionSets, joins the elements of the same web, and
/// renames the operands by web.
class WebSplitter {
 public:
  explicit WebSplitter(Function& function)
      : function_(function),
        values_(function),
        control_flow_(control_flow_of(function)),
        liveness_(function, control_flow_) {}

  void run() {
    number_definitions();
    join_at_borders();
    rename();
  }

 private:
  // Gives every operand an element, in the order in which rename() visits the operands again. Reads
  // get the element of the definition before them in the block, or of the value at block entry.
  void number_definitions() {
    const std::size_t blocks = function_.blocks.size();
    current_.assign(values_.count(), kNone);
    entry_elements_.resize(blocks);
    exit_elements_.resize(blocks);
    for (BlockIndex block = 0; block < blocks; ++block) {
      liveness_.for_each_live_in(block, [&](std::uint32_t value) {
        current_[value] = sets_.add();
        entry_elements_[block].emplace_back(value, current_[value]);
      });
      for (const Instruction& instruction : function_.blocks[block].instructions) {
        const auto read = [&](std::uint32_t value) {
          if (current_[value] == kNone) current_[value] = sets_.add();  // Never written.
          elements_.push_back(current_[value]);
        };
        for_each_read(instruction,
                      [&](const Operand& operand) { read(values_.number_of(operand)); });
        if (instruction.guard.present()) read(values_.number_of(instruction.guard));
        for_each_written(instruction, [&](const Operand& operand) {
          const std::uint32_t value = values_.number_of(operand);
          const std::uint32_t element = sets_.add();
          // A guarded write keeps the old value in some lanes, so both belong to one web.
          if (keeps_old_values(instruction) && current_[value] != kNone) {
            sets_.unite(element, current_[value]);
          }
          current_[value] = element;
          elements_.push_back(element);
        });
      }
      liveness_.for_each_live_out(block, [&](std::uint32_t value) {
        if (current_[value] != kNone) exit_elements_[block].emplace_back(value, current_[value]);
      });
      // Reset `current_`: a value that is not live into the next block starts a new web there.
      for (const auto& [value, element] : entry_elements_[block]) current_[value] = kNone;
      for (const Instruction& instruction : function_.blocks[block].instructions) {
        for_each_written(instruction, [&](const Operand& operand) {
          current_[values_.number_of(operand)] = kNone;
        });
        for_each_read(instruction, [&](const Operand& operand) {
          current_[values_.number_of(operand)] = kNone;
        });
        if (instruction.guard.present()) current_[values_.number_of(instruction.guard)] = kNone;
      }
    }
  }

  /// Joins the elements of values that are live from one block into another.
  void join_at_borders() {
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      for (const auto& [value, element] : entry_elements_[block]) current_[value] = element;
      for (const BlockIndex before : control_flow_.predecessors(block)) {
        for (const auto& [value, element] : exit_elements_[before]) {
          if (current_[value] != kNone) sets_.unite(current_[value], element);
        }
      }
      for (const auto& [value, element] : entry_elements_[block]) current_[value] = kNone;
    }
  }

  void rename() {
    std::vector<std::uint32_t> name_of(sets_.size(), kNone);
    std::vector<VirtualRegister> registers;
    std::uint32_t predicates = 0;
    std::size_t next = 0;
    const auto name = [&](RegisterClass register_class, std::uint32_t old) {
      std::uint32_t& known = name_of[sets_.find(elements_[next++])];
      if (known == kNone) {
        if (register_class == RegisterClass::predicate) {
          known = predicates++;
        } else {
          known = static_cast<std::uint32_t>(registers.size());
          registers.push_back(function_.registers[old]);
        }
      }
      return known;
    };
    for (BasicBlock& block : function_.blocks) {
      for (Instruction& instruction : block.instructions) {
        const auto rename_operand = [&](Operand& operand) {
          operand.index = name(class_of(operand), operand.index);
        };
        for_each_read(instruction, rename_operand);
        if (instruction.guard.present()) {
          std::uint32_t& guard = instruction.guard.predicate;
          guard = name(RegisterClass::predicate, guard);
        }
        for_each_written(instruction, rename_operand);
      }
    }
    function_.registers = std::move(registers);
    function_.predicates = predicates;
  }

  using Elements = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< (value, element).

  Function& function_;
  ValueNumbering values_;
  Graph control_flow_;
  Liveness liveness_;
  DefinitionSets sets_;
  std::vector<std::uint32_t> current_;   ///< By value: the element of its current definition.
  std::vector<std::uint32_t> elements_;  ///< The element of each operand in order.
  /// By block: the values that are live at its entry and at its exit.
  std::vector<Elements> entry_elements_, exit_elements_;
};

}  // namespace

void split_webs(Function& function) { WebSplitter(function).run(); }

}  // namespace heddle::code
