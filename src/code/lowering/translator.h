#pragma once

// Translates one PTX function. The class contains what the translations of all instructions share.

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

[[noreturn]] void refuse(std::string reason);

/// The address of a memory access.
struct MemoryAddress {
  Space space = Space::generic;
  Operand base;  ///< None: `offset` is relative to the frame or to the parameter area.
  std::int64_t offset = 0;
  bool outgoing = false;
  /// If set, the variable lies in this virtual register instead of memory.
  std::optional<std::uint32_t> held_in;
};

class Translator {
 public:
  Translator(const std::vector<ptx::Module>& modules, const Linked& linked, FunctionInfo& info,
             SymbolPlace place);

  Function run();
  /// The largest alignment of dynamic shared memory that the function names; 0 if it names none.
  std::uint32_t dynamic_shared_alignment() const { return dynamic_shared_alignment_; }

  // -- the PTX instruction that is being translated
  // ------------------------------------------------------
  const ptx::Instruction& in() const { return *in_; }
  bool has(ptx::Modifier modifier) const { return in_->has(modifier); }
  /// The i-th type suffix; refuses if there is none.
  ValueType type(std::size_t i = 0) const;
  std::size_t operand_count() const { return in_->operands.size(); }
  const ptx::Operand& operand(std::size_t i) const;
  const ptx::Operand& element(const ptx::Operand& of, std::size_t i) const;
  const ptx::Function& function() const { return function_; }
  const ptx::Module& module() const { return module_; }
  const ptx::Variable& variable(std::uint32_t index) const { return module_.variables[index]; }

  // -- operands ----------------------------------------------------------------------------------
  /// Operand i as a source of `type`. May emit instructions that compute it.
  Operand source(std::size_t i, ValueType type) { return value(operand(i), type); }
  Operand value(const ptx::Operand& from, ValueType type);
  /// Operand i as a predicate source.
  Operand predicate_source(std::size_t i) { return predicate_value(operand(i)); }
  Operand predicate_value(const ptx::Operand& from);
  /// Operand i as a destination of `type`; for `_` a register that is never read.
  Operand destination(std::size_t i, ValueType type) { return result(operand(i), type); }
  Operand result(const ptx::Operand& to, ValueType type);
  /// A register of any width as a destination; none for `_`.
  Operand any_result(const ptx::Operand& to);
  /// The predicate that an operand names as a destination; none for `_`.
  Operand predicate_result(const ptx::Operand& to);
  ValueType register_type(const ptx::Operand& reg) const;
  bool is_predicate_register(const ptx::Operand& operand) const;

  Operand new_register(int width) { return Operand::reg(body_.new_register(width), width); }
  Operand new_predicate() { return Operand::predicate(body_.new_predicate()); }
  /// The carry flag of add.cc and similar instructions.
  Operand carry();

  // -- memory ------------------------------------------------------------------------------------
  /// The space that the instruction's suffixes name; generic where they name none.
  Space named_space() const;
  /// The address in operand i, in the space that the instruction names or its variable lies in.
  MemoryAddress address(std::size_t i) { return memory_address(operand(i), named_space()); }
  MemoryAddress memory_address(const ptx::Operand& from, Space named);
  /// The address `offset` bytes into a variable.
  MemoryAddress place_of(std::uint32_t variable, std::int64_t offset);
  /// The address of a variable as a value, in the variable's own space.
  Operand address_value(std::uint32_t variable, std::int64_t addend, int width);
  /// The address as one value, for instructions that have no offset field.
  Operand folded(const MemoryAddress& address);
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
  /// Each emits a load or a store and returns it, or emits a move instead and returns null.
  Instruction* emit_load(ValueType type, const Operand& to, const MemoryAddress& from);
  Instruction* emit_store(ValueType type, const MemoryAddress& to, const Operand& value);
  /// Copies `bytes` bytes, under the guard.
  void emit_copy(const MemoryAddress& to, const MemoryAddress& from, std::uint64_t bytes,
                 std::uint64_t alignment);
  void emit_special(Special special, ValueType type, const Operand& to);
  /// Reads a special register of PTX into `to`.
  void read_special(ptx::SpecialRegister special, const Operand& to);
  /// Emits the return of a device function or the exit of a kernel.
  void emit_return();
  void emit_branch(ptx::LabelIndex label);
  void emit_indexed_branch(const Operand& index, const ptx::BranchTable& table);

  // -- calls -------------------------------------------------------------------------------------
  /// Emit the store or load of a parameter or result in a register, which is passed in memory. A
  /// predicate is passed as a word.
  void store_passed_value(ValueType type, const MemoryAddress& to, const Operand& value);
  void load_passed_value(ValueType type, const Operand& to, const MemoryAddress& from);
  CallTarget target_of_call() const;
  const FramePlan& frame() const { return plan_; }
  FunctionInfo& info() { return info_; }
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
  std::vector<Operand> registers_;                                   ///< By PTX register.
  std::unordered_map<std::uint32_t, std::uint32_t> held_variables_;  ///< Placement::Where::value
  std::vector<BlockIndex> block_of_label_;
  std::vector<std::vector<ptx::LabelIndex>> tables_;
  std::optional<Operand> carry_;
  const ptx::Instruction* in_ = nullptr;
  std::uint32_t dynamic_shared_alignment_ = 0;
  bool block_ended_ = false;
};

/// Translates the current instruction of `t`.
using Translation = void (*)(Translator& t);
/// The translation of instructions with this opcode; null if Heddle does not execute them.
Translation translation_of(ptx::Opcode opcode);

}  // namespace heddle::code::lowering
