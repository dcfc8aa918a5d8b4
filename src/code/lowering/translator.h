#pragma once

// Translates one PTX function to a Function over virtual registers. Each family of instructions has
// a source file (families.h); Translator has what these files share.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "code/function.h"
#include "code/link.h"
#include "code/lowering/frame_plan.h"
#include "ptx/module.h"

namespace heddle::code::lowering {

/// Thrown if an instruction cannot be translated. Translator::run() catches it, emits a trap and
/// marks the function as unsupported.
struct Refusal {
  std::string reason;
};

/// Throws a Refusal.
[[noreturn]] void refuse(std::string reason);

/// The address of a memory access: `base` + `offset`.
struct MemoryAddress {
  Space space = Space::generic;
  Operand base;  ///< None: `offset` is relative to the frame or to the parameter area.
  std::int64_t offset = 0;
  bool outgoing = false;  ///< See Instruction::outgoing.
  /// If set, the variable is in this virtual register instead of memory.
  std::optional<std::uint32_t> value_register;
};

class Translator {
 public:
  Translator(const std::vector<ptx::Module>& modules, const Linked& linked, FunctionInfo& info,
             SymbolPlace place);

  /// Translates the function. Must be called only once.
  Function run();
  /// The largest alignment of dynamic shared memory that the function names; 0 if it names none.
  std::uint32_t dynamic_shared_alignment() const { return dynamic_shared_alignment_; }

  // -- the current PTX instruction ---------------------------------------------------------------
  const ptx::Instruction& current() const { return *current_; }
  bool has(ptx::Modifier modifier) const { return current_->has(modifier); }
  // type(), operand() and element() refuse the instruction if there is no number i.
  /// The i-th type suffix.
  ValueType type(std::size_t i = 0) const;
  std::size_t operand_count() const { return current_->operands.size(); }
  const ptx::Operand& operand(std::size_t i) const;
  /// Element i of a vector or list.
  const ptx::Operand& element(const ptx::Operand& list, std::size_t i) const;
  const ptx::Function& function() const { return function_; }
  const ptx::Module& module() const { return module_; }
  const ptx::Variable& variable(std::uint32_t index) const { return module_.variables[index]; }

  // -- operands ----------------------------------------------------------------------------------
  // source() and destination() take the number of an operand of the current instruction; value()
  // and result() do the same for any PTX operand.
  /// Operand i as a source of `type`. May emit instructions that compute it.
  Operand source(std::size_t i, ValueType type) { return value(operand(i), type); }
  Operand value(const ptx::Operand& from, ValueType type);
  /// Operand i as a predicate source.
  Operand predicate_source(std::size_t i) { return predicate_value(operand(i)); }
  Operand predicate_value(const ptx::Operand& from);
  /// Operand i as a destination of `type`. For `_` (PTX's unused destination): a new register that
  /// is never read.
  Operand destination(std::size_t i, ValueType type) { return result(operand(i), type); }
  Operand result(const ptx::Operand& to, ValueType type);
  /// A register of any width as a destination; Operand::none() for `_`.
  Operand any_result(const ptx::Operand& to);
  /// The predicate that an operand names as a destination; Operand::none() for `_`.
  Operand predicate_result(const ptx::Operand& to);
  /// The type with which PTX declares a register.
  ValueType register_type(const ptx::Operand& reg) const;
  bool is_predicate_register(const ptx::Operand& operand) const;

  Operand new_register(int width) { return Operand::reg(body_.new_register(width), width); }
  Operand new_predicate() { return Operand::predicate(body_.new_predicate()); }
  /// The predicate for PTX's carry flag, which add.cc and similar instructions write.
  Operand carry();

  // -- memory ------------------------------------------------------------------------------------
  /// The space that the instruction's suffixes name; generic if they name none.
  Space named_space() const;
  /// The address in operand i. It is in the space of the variable that the operand names or, if it
  /// names none, in the space that the instruction names.
  MemoryAddress address(std::size_t i) { return memory_address(operand(i), named_space()); }
  /// Likewise for any PTX operand; `default_space` is the space if it names no variable.
  MemoryAddress memory_address(const ptx::Operand& from, Space default_space);
  /// The address `offset` bytes after the beginning of a variable.
  MemoryAddress variable_address(std::uint32_t variable, std::int64_t offset);
  /// The address of a variable plus `addend` as a value of `width` registers, in the variable's own
  /// space.
  Operand address_value(std::uint32_t variable, std::int64_t addend, int width);
  /// The address as one operand, for instructions that have no offset field.
  Operand address_operand(const MemoryAddress& address);
  Space space_of(std::uint32_t variable) const;

  // -- emitting ----------------------------------------------------------------------------------
  /// Appends an instruction under the PTX instruction's guard. The reference is valid until the
  /// next instruction is appended.
  Instruction& emit(Operation operation, ValueType type,
                    std::initializer_list<Operand> destinations,
                    std::initializer_list<Operand> sources);
  /// Appends an instruction without a guard: for intermediate results that have no other effect.
  Instruction& compute(Operation operation, ValueType type,
                       std::initializer_list<Operand> destinations,
                       std::initializer_list<Operand> sources);
  /// Emits to = from. If the destination is wider, the value is zero- or sign-extended, depending
  /// on `type`.
  void emit_move(ValueType type, const Operand& to, const Operand& from);
  /// Emits a load or store and returns it. If a move does, emits that and returns null.
  Instruction* emit_load(ValueType type, const Operand& to, const MemoryAddress& from);
  Instruction* emit_store(ValueType type, const MemoryAddress& to, const Operand& value);
  /// Emits a copy of `bytes` bytes, under the PTX instruction's guard.
  void emit_copy(const MemoryAddress& to, const MemoryAddress& from, std::uint64_t bytes,
                 std::uint64_t alignment);
  /// Reads a special register of the machine code into `to`.
  void emit_special(Special special, ValueType type, const Operand& to);
  /// Reads a special register of PTX into `to`.
  void read_special(ptx::SpecialRegister special, const Operand& to);
  /// Emits the return of a device function or the exit of a kernel.
  void emit_return();
  void emit_branch(ptx::LabelIndex label);
  void emit_indexed_branch(const Operand& index, const ptx::BranchTable& table);

  // -- calls -------------------------------------------------------------------------------------
  /// Emits the store of a parameter or result that PTX declares in a register, but that is passed
  /// in memory. A predicate is passed as a 32-bit word. load_passed_value() emits the load.
  void store_passed_value(ValueType type, const MemoryAddress& to, const Operand& value);
  void load_passed_value(ValueType type, const Operand& to, const MemoryAddress& from);
  /// The target of the current instruction, a call.
  CallTarget target_of_call() const;
  const FramePlan& frame() const { return plan_; }
  FunctionInfo& info() { return info_; }
  /// The index in the program of the module's function.
  std::uint32_t program_function(std::uint32_t ptx_function) const;
  Operand function_address(std::uint32_t ptx_function);

 private:
  void translate_body();
  void translate(const ptx::Instruction& instruction);
  void load_register_parameters();
  void store_register_results();
  Instruction& append(Operation operation, ValueType type,
                      std::initializer_list<Operand> destinations,
                      std::initializer_list<Operand> sources);
  BasicBlock& block() { return body_.blocks.back(); }
  void start_block();
  void finish();
  std::uint32_t register_limit() const;
  Operand immediate(const ptx::Operand& from, ValueType type) const;
  const Operand& register_operand(std::uint32_t index) const { return registers_[index]; }
  void note_unsupported(std::string message);

  const std::vector<ptx::Module>& modules_;
  const Linked& linked_;
  FunctionInfo& info_;
  SymbolPlace place_;
  const ptx::Module& module_;
  const ptx::Function& function_;
  FramePlan plan_;
  Function body_;
  std::vector<Operand> registers_;  ///< By PTX register.
  /// By variable with VariablePlace::Where::value: its virtual register.
  std::unordered_map<std::uint32_t, std::uint32_t> variable_registers_;
  std::vector<BlockIndex> block_of_label_;
  std::vector<std::vector<ptx::LabelIndex>> tables_;  ///< Branch tables, by machine-code index.
  std::optional<Operand> carry_;
  const ptx::Instruction* current_ = nullptr;  ///< Null outside of the translation of the body.
  std::uint32_t dynamic_shared_alignment_ = 0;
  bool block_ended_ = false;  ///< The last instruction of the last block ends it.
};

/// Translates the current instruction of `t`.
using Translation = void (*)(Translator& t);
/// The translation of instructions with this opcode; null if Heddle does not execute them.
Translation translation_of(ptx::Opcode opcode);

}  // namespace heddle::code::lowering
