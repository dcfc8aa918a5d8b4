#pragma once

// The contents of one parsed PTX module, before the compiler (src/code) translates it.

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

// Indices into the vectors of a Module or a Function.
using VariableIndex = std::uint32_t;
using FunctionIndex = std::uint32_t;
using RegisterIndex = std::uint32_t;
using LabelIndex = std::uint32_t;
/// The index of nothing: there is no such variable, function, register, label or source line.
inline constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

enum class StateSpace : std::uint8_t { none, reg, sreg, const_, global, local, param, shared, tex };
enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

/// The position in the CUDA source that a `.loc` directive names.
struct SourceLine {
  std::uint32_t file = kNoIndex;  ///< Index into Module::source_files.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  /// For inlined code: the position at which it was inlined, as an index into Module::source_lines.
  std::uint32_t inlined_at = kNoIndex;
};

/// One element of a variable's initialiser: bits, or the address of a symbol.
struct Initialiser {
  enum class Kind : std::uint8_t { bits, variable_address, function_address } kind = Kind::bits;
  /// True for `generic(symbol)`: the address is generic, not one in the symbol's state space.
  bool generic = false;
  /// For `mask(symbol)`: 0xFF << 8n, which selects byte n of the address. 0 for the whole address.
  std::uint64_t byte_mask = 0;
  std::uint64_t bits = 0;    ///< For Kind::bits: the element's bits in the variable's type.
  std::uint32_t symbol = 0;  ///< For addresses: the VariableIndex or FunctionIndex.
  std::int64_t addend = 0;   ///< For addresses: the bytes added to the symbol's address.
};

/// A variable, parameter or result.
struct Variable {
  std::string name;
  StateSpace space = StateSpace::none;
  ValueType type = ValueType::b8;
  std::uint32_t vector = 1;      ///< Number of elements: 2 or 4 for a .v2 or .v4 type, otherwise 1.
  std::uint32_t alignment = 1;   ///< In bytes.
  std::uint64_t size = 0;        ///< In bytes; 0 for an array without a size (`[]`).
  std::uint32_t dimensions = 0;  ///< The number of pairs of brackets in its declaration.
  bool is_unsized = false;  ///< An array without a size: dynamic shared memory, or an extern array.
  bool managed = false;     ///< .attribute(.managed)
  bool pointer = false;     ///< A kernel parameter with `.ptr`.
  Linkage linkage = Linkage::internal;
  /// The initial values of the elements. Elements beyond the last are zero.
  std::vector<Initialiser> initialiser;
  FunctionIndex owner = kNoIndex;  ///< The function that declares it; kNoIndex at module scope.
  /// For a `.reg` parameter or result: the function's register that contains it.
  RegisterIndex reg = kNoIndex;
  TextLocation location;
};

/// An operand of an instruction. Operands are in the order of the text. The parser changes some:
///  - `call` always has three or four operands: the list of results, the target, the list of
///    arguments, and for an indirect call the prototype or the targets. A list that the text leaves
///    out is empty.
///  - A vector register is split: `.reg .v4 .f32 %v` creates four registers. As an operand, `%v` is
///    the vector of the four, and `%v.y` is the second of them.
///  - `name[i]`, not in brackets, is the variable `name` with the element's offset in `bits`. If
///    the instruction needs an address operand, it becomes that address.
struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,        ///< index: RegisterIndex; bits: the selector of a video instruction, see selector()
    special,    ///< index: SpecialRegister, such as %tid.x
    integer,    ///< bits: the constant's value as 64 bits, two's complement
    f32,        ///< bits: the pattern of a 0f constant
    f64,        ///< bits: the pattern of a 0d or a decimal constant
    label,      ///< index: LabelIndex
    variable,   ///< the address of a variable as a value; index: VariableIndex, bits: added bytes
    function,   ///< index: FunctionIndex
    address,    ///< [base + bits]; see `base`
    sum,        ///< r + 4, not in brackets; index: RegisterIndex, bits: the constant
    vector,     ///< {a, b, ...}: `count` elements from `index` on in Function::operand_lists
    list,       ///< (a, b, ...) of a call: elements as in `vector` (reg, variable or constant)
    pair,       ///< a|b: two elements as in `vector`; the first can itself be a vector (tex)
    texture,    ///< [t, {x, y}] or [t, s, {x, y}]: elements as in `vector`
    sink,       ///< `_`: a result that is discarded
    prototype,  ///< index: into Function::prototypes (.callprototype, .calltargets)
    branches,   ///< index: into Function::branch_tables (.branchtargets)
  };
  enum class Base : std::uint8_t { none, reg, variable };

  Kind kind = Kind::none;
  Base base = Base::none;  ///< For an address: the meaning of `index`.
  bool negated = false;    ///< !p, or -a before a register
  // Kind says what these mean.
  std::uint8_t count = 0;
  std::uint32_t index = 0;
  std::uint64_t bits = 0;
  TextLocation location;

  /// The bytes or halves of a register that a video instruction reads: `.b2`, `.h1`, `.b7610`. The
  /// parts are in the order of the text, which begins with the most significant.
  struct Selector {
    bool halves = false;     ///< The parts are halves (`.h`), not bytes (`.b`).
    std::uint8_t count = 0;  ///< Number of parts; 0 for the whole register.
    std::uint8_t parts[4] = {0, 0, 0, 0};
  };
  /// Decodes `bits` of a register operand; the whole register for other kinds.
  Selector selector() const;
  /// The value of `bits` for the selector.
  static std::uint64_t encode(const Selector& selector);
};

/// The predicate register that decides in which lanes an instruction takes effect.
struct Guard {
  RegisterIndex reg = kNoIndex;
  bool negated = false;
  bool present() const { return reg != kNoIndex; }
};

struct Instruction {
  Opcode opcode = Opcode::unknown;
  Guard guard;
  /// The suffixes that are not types (`.sync`, `.lo`, `.rn`, `.global`), in the order of the text.
  InlineVector<Modifier, 12> modifiers;
  /// The suffixes that are types, in the order of the text: for cvt, the destination's type is
  /// first.
  InlineVector<ValueType, 4> types;
  InlineVector<Operand, 8> operands;
  /// The opcode with all its suffixes, as in the text; a view into Module::text.
  std::string_view spelling;
  TextLocation location;
  std::uint32_t source = kNoIndex;  ///< Index into Module::source_lines.

  bool has(Modifier modifier) const {
    for (const Modifier m : modifiers) {
      if (m == modifier) return true;
    }
    return false;
  }
  /// The i-th type; ValueType::none if there are fewer.
  ValueType type(std::size_t i = 0) const { return i < types.size() ? types[i] : ValueType::none; }
};

/// A register of a function. Of the registers that `%r<1000>` declares, only those exist that the
/// function uses.
struct Register {
  std::string name;
  ValueType type = ValueType::none;
};

/// A label of a function's body.
struct Label {
  std::string name;
  /// The index in Function::body of the instruction after the label; body.size() for a label at the
  /// end.
  std::uint32_t instruction = kNoIndex;
  bool nounroll = false;  ///< `.pragma "nounroll"` is between the label and that instruction.
};

/// The signature of an indirect call, from a `.callprototype` or a `.calltargets` list.
struct Prototype {
  std::string name;
  std::vector<VariableIndex> returns;
  std::vector<VariableIndex> parameters;
  std::vector<FunctionIndex> targets;  ///< The functions of .calltargets; empty for .callprototype.
};

/// The targets of an indirect branch (brx.idx), from `.branchtargets`.
struct BranchTable {
  std::string name;
  std::vector<LabelIndex> targets;
};

struct Function {
  std::string name;
  bool is_kernel = false;
  bool is_declaration = true;  ///< The function has no body.
  bool no_return = false;
  bool nounroll = false;  ///< `.pragma "nounroll"` in the head, which applies to all loops.
  /// For `.alias`: the function of which this one is another name. An alias has no body.
  FunctionIndex alias_of = kNoIndex;
  Linkage linkage = Linkage::internal;
  std::vector<VariableIndex> returns;
  std::vector<VariableIndex> parameters;
  std::vector<VariableIndex> variables;  ///< Those declared in the body, except registers.
  std::vector<Register> registers;
  std::vector<Label> labels;
  std::vector<Prototype> prototypes;
  std::vector<BranchTable> branch_tables;
  std::vector<Instruction> body;
  std::vector<Operand> operand_lists;  ///< The elements of vectors, lists, pairs and textures.
  // Performance directives; 0 if absent.
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
  std::shared_ptr<const std::string> text;  ///< Instructions have views into it.
  std::uint32_t version_major = 0;
  std::uint32_t version_minor = 0;
  std::string target;               ///< "sm_75"
  std::uint32_t sm = 0;             ///< The number in `target`: 75.
  std::uint32_t address_size = 64;  ///< In bits.
  bool nounroll = false;            ///< `.pragma "nounroll"` at module scope: for all loops.
  std::vector<Variable> variables;  ///< Of the module and its functions, with parameters.
  std::vector<Function> functions;
  /// The paths of `.file` directives, by the directive's number; empty for unused numbers.
  std::vector<std::string> source_files;
  std::vector<SourceLine> source_lines;
};

}  // namespace heddle::ptx
