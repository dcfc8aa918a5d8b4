#pragma once

// The contents of one parsed PTX module, before it is translated.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/inline_vector.h"
#include "base/value_type.h"
#include "ptx/opcode.h"

namespace heddle::ptx {

/// Indices into the tables of a Module or a Function.
using VariableIndex = std::uint32_t;
using FunctionIndex = std::uint32_t;
using RegisterIndex = std::uint32_t;
using LabelIndex = std::uint32_t;
inline constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

enum class StateSpace : std::uint8_t { none, reg, sreg, const_, global, local, param, shared, tex };
enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

/// The position in the CUDA source that a `.loc` names.
struct SourceLine {
  std::uint32_t file = kNoIndex;  ///< Index into Module::source_files.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  /// For inlined code: the SourceLine (index into Module::source_lines) that it was inlined at.
  std::uint32_t inlined_at = kNoIndex;
};

/// One element of a variable's initialiser: bits, or the address of a symbol.
struct Initialiser {
  enum class Kind : std::uint8_t { bits, variable_address, function_address } kind = Kind::bits;
  /// True if the address is in the generic space (`generic(symbol)`), not in the symbol's own.
  bool generic = false;
  /// `mask(symbol)`: selects a byte of the address, as 0xFF << n; 0 for the whole address.
  std::uint64_t byte_mask = 0;
  std::uint64_t bits = 0;    ///< kind bits: the element's bits in the variable's type.
  std::uint32_t symbol = 0;  ///< VariableIndex or FunctionIndex.
  std::int64_t addend = 0;
};

struct Variable {
  std::string name;
  StateSpace space = StateSpace::none;
  ValueType type = ValueType::b8;
  std::uint32_t vector = 1;  ///< Elements of a .v2 or .v4 type.
  std::uint32_t alignment = 1;
  std::uint64_t size = 0;        ///< In bytes; 0 for an unsized (`[]`) array.
  std::uint32_t dimensions = 0;  ///< The number of `[]` in its declaration.
  bool unsized = false;          ///< Declared with `[]`: dynamic shared memory, or an extern array.
  bool managed = false;          ///< .attribute(.managed)
  bool pointer = false;          ///< A kernel parameter with `.ptr`.
  Linkage linkage = Linkage::internal;
  /// One entry per element. If it is shorter than the variable, the rest is zero.
  std::vector<Initialiser> initialiser;
  FunctionIndex owner = kNoIndex;  ///< The function it is declared in; kNoIndex at module scope.
  /// For a `.reg` parameter or result: the register of the function that holds it.
  RegisterIndex reg = kNoIndex;
  TextLocation location;
};

/// An operand of an instruction. Operands are kept in written order. The parser normalises some:
///  - `call` always has three or four: the list of results, the target, the list of arguments
///    (lists are empty if not written), and for an indirect call the prototype or the targets.
///  - A vector register is split: `.reg .v4 .f32 %v` makes four registers. As operands, `%v` is the
///    vector of the four and `%v.y` the second.
///  - `name[i]` outside of brackets is the variable `name` with the element's offset. If the
///    instruction takes an address, it is that address.
struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,        ///< index: RegisterIndex; bits: the selector of a video instruction, see selector()
    special,    ///< index: SpecialRegister, such as %tid.x
    integer,    ///< bits: the constant's value as 64 bits, two's complement
    f32,        ///< bits: the pattern of a 0f constant
    f64,        ///< bits: the pattern of a 0d or a decimal constant
    label,      ///< index: LabelIndex
    variable,   ///< index: VariableIndex, bits: an added constant; its address as a value
    function,   ///< index: FunctionIndex
    address,    ///< [base + bits]; see `base`
    vector,     ///< {a, b, ...}: `count` elements from `index` in Function::operand_lists
    list,       ///< (a, b, ...) of a call: elements as in `vector` (reg, variable or constant)
    pair,       ///< a|b: two elements as in `vector`; in tex the first can be a vector
    texture,    ///< [t, {x, y}] or [t, s, {x, y}]: elements as in `vector`
    sink,       ///< _
    prototype,  ///< index: into Function::prototypes (.callprototype, .calltargets)
    branches,   ///< index: into Function::branch_tables (.branchtargets)
  };
  enum class Base : std::uint8_t { none, reg, variable };

  Kind kind = Kind::none;
  Base base = Base::none;  ///< For an address: the meaning of `index`.
  bool negated = false;    ///< !p, or -a before a register
  std::uint8_t count = 0;
  std::uint32_t index = 0;
  std::uint64_t bits = 0;
  TextLocation location;

  /// The bytes or halves of a register that a video instruction reads: `.b2`, `.h1`, `.b7610`. The
  /// parts are in written order, most significant first.
  struct Selector {
    bool halves = false;     ///< .h*, not .b*
    std::uint8_t count = 0;  ///< 0: the whole register
    std::uint8_t parts[4] = {0, 0, 0, 0};
  };
  Selector selector() const;
  static std::uint64_t encode(const Selector& selector);
};

struct Guard {
  RegisterIndex reg = kNoIndex;
  bool negated = false;
  bool present() const { return reg != kNoIndex; }
};

struct Instruction {
  Opcode opcode = Opcode::unknown;
  Guard guard;
  /// The suffixes that are not types, in the order written (`.sync`, `.lo`, `.rn`, `.global`).
  InlineVector<Modifier, 12> modifiers;
  /// The suffixes that are types, in the order written: cvt names the destination's first.
  InlineVector<ValueType, 4> types;
  InlineVector<Operand, 8> operands;
  /// The opcode with all its suffixes as written; a view into Module::text.
  std::string_view written;
  TextLocation location;
  std::uint32_t source = kNoIndex;  ///< Index into Module::source_lines.

  bool has(Modifier modifier) const {
    for (const Modifier m : modifiers) {
      if (m == modifier) return true;
    }
    return false;
  }
  ValueType type(std::size_t i = 0) const { return i < types.size() ? types[i] : ValueType::none; }
};

/// A register that the text uses. `%r<1000>` by itself creates none.
struct Register {
  std::string name;
  ValueType type = ValueType::none;
};

struct Label {
  std::string name;
  /// The index of the instruction after the label; body.size() for a label at the end.
  std::uint32_t instruction = kNoIndex;
  bool nounroll = false;  ///< `.pragma "nounroll"` is between it and that instruction.
};

/// The signature that a `.callprototype` or a `.calltargets` list gives for an indirect call.
struct Prototype {
  std::string name;
  std::vector<VariableIndex> returns;
  std::vector<VariableIndex> parameters;
  std::vector<FunctionIndex> targets;  ///< The functions of .calltargets.
};

struct BranchTable {
  std::string name;
  std::vector<LabelIndex> targets;
};

struct Function {
  std::string name;
  bool is_kernel = false;
  bool is_declaration = true;  ///< No body.
  bool no_return = false;
  bool nounroll = false;  ///< `.pragma "nounroll"` in its head: applies to all its loops.
  /// `.alias`: this is another name of that function, and has no body of its own.
  FunctionIndex alias_of = kNoIndex;
  Linkage linkage = Linkage::internal;
  std::vector<VariableIndex> returns;
  std::vector<VariableIndex> parameters;
  std::vector<VariableIndex> variables;  ///< Declared inside: local, shared, param, const, global.
  std::vector<Register> registers;
  std::vector<Label> labels;
  std::vector<Prototype> prototypes;
  std::vector<BranchTable> branch_tables;
  std::vector<Instruction> body;
  std::vector<Operand> operand_lists;
  /// Performance directives; 0 where absent.
  std::uint32_t max_threads[3] = {0, 0, 0};       ///< .maxntid
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid
  std::uint32_t min_blocks_per_sm = 0;            ///< .minnctapersm
  std::uint32_t max_registers = 0;                ///< .maxnreg
  TextLocation location;

  /// The elements of a vector, list, pair or texture operand.
  const Operand* elements(const Operand& operand) const { return &operand_lists[operand.index]; }
};

struct Module {
  std::string file;                         ///< Its name in messages.
  std::shared_ptr<const std::string> text;  ///< Kept because instructions hold views into it.
  std::uint32_t version_major = 0;
  std::uint32_t version_minor = 0;
  std::string target;    ///< sm_75
  std::uint32_t sm = 0;  ///< 75
  std::uint32_t address_size = 64;
  bool nounroll = false;            ///< `.pragma "nounroll"` at module scope: for all loops.
  std::vector<Variable> variables;  ///< Of the module and of its functions, parameters included.
  std::vector<Function> functions;
  std::vector<std::string> source_files;  ///< Indexed by the number in .file; "" for gaps.
  std::vector<SourceLine> source_lines;
};

}  // namespace heddle::ptx
