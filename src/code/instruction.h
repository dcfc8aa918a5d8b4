#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/value_type.h"
#include "code/operation.h"

namespace heddle::code {

/// The index of nothing, such as an absent register, block or function.
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// A source or destination of a machine instruction. Register allocation replaces virtual register
/// numbers in `index` by physical ones. A 64-bit value then takes an aligned pair (even `index` and
/// `index` + 1).
struct Operand {
  enum class Kind : std::uint8_t {
    none,       ///< An unused destination or an absent source.
    reg,        ///< `index`: the (first) register; `width` registers
    predicate,  ///< `index`: the predicate register
    immediate,  ///< `bits`
    constant,   ///< `index`: byte offset into the launch constants (code/launch_constants.h)
    variable,   ///< the address of variable `index` of the program plus `bits`, in its own space
    generic_variable,  ///< likewise, but a generic address
    function,          ///< the address of function `index` of the program
  };

  Kind kind = Kind::none;
  std::uint8_t width = 1;  ///< The number of 32-bit registers: 1, 2, or 4 for b128.
  bool negated = false;    ///< Predicate sources only: the complement is read.
  bool last_use = false;   ///< Register sources only: no later instruction reads this value.
  std::uint32_t index = 0;
  std::uint64_t bits = 0;

  static Operand none() { return {}; }
  static Operand reg(std::uint32_t index, int width = 1) {
    Operand operand;
    operand.kind = Kind::reg;
    operand.width = static_cast<std::uint8_t>(width);
    operand.index = index;
    return operand;
  }
  static Operand predicate(std::uint32_t index, bool negated = false) {
    Operand operand;
    operand.kind = Kind::predicate;
    operand.negated = negated;
    operand.index = index;
    return operand;
  }
  static Operand immediate(std::uint64_t bits, int width = 1) {
    Operand operand;
    operand.kind = Kind::immediate;
    operand.width = static_cast<std::uint8_t>(width);
    operand.bits = bits;
    return operand;
  }
  /// The address of a variable of the program plus `addend`.
  static Operand variable(std::uint32_t index, std::int64_t addend, int width) {
    Operand operand;
    operand.kind = Kind::variable;
    operand.width = static_cast<std::uint8_t>(width);
    operand.index = index;
    operand.bits = static_cast<std::uint64_t>(addend);
    return operand;
  }
  static Operand constant(std::uint32_t byte_offset, int width = 1) {
    Operand operand;
    operand.kind = Kind::constant;
    operand.width = static_cast<std::uint8_t>(width);
    operand.index = byte_offset;
    return operand;
  }

  bool is_register() const { return kind == Kind::reg; }
  bool is_predicate() const { return kind == Kind::predicate; }
  bool present() const { return kind != Kind::none; }
  friend bool operator==(const Operand&, const Operand&) = default;
};

/// The predicate that decides which lanes execute an instruction.
struct Guard {
  std::uint32_t predicate = kNone;
  bool negated = false;
  bool present() const { return predicate != kNone; }
  friend bool operator==(const Guard&, const Guard&) = default;
};

/// Fields of the video instructions (Operation::video), which compute d from a, b and c. The scalar
/// ones select a byte or half of each 32-bit word. The SIMD ones compute two or four parts at once.
struct VideoFields {
  VideoOperation operation = VideoOperation::add;
  std::uint8_t lanes = 1;  ///< Parts of a word: 1 (scalar: vadd), 2 (vadd2) or 4 (vadd4).
  bool a_signed = false, b_signed = false, d_signed = false;
  // Scalar: 0 to 3 select a byte, 4 and 5 a half, 0xff the whole word.
  std::uint8_t a_select = 0xff;
  std::uint8_t b_select = 0xff;
  std::uint8_t c_select = 0xff;  ///< multiply_add only.
  std::uint8_t d_select = 0xff;  ///< The part of d that is written; the rest comes from s2.
  /// SIMD: the parts that each lane uses as a and as b, where a's parts are numbered first and then
  /// b's. Lane i's selector is in bits 4i to 4i + 3.
  std::uint16_t a_lanes = 0x3210, b_lanes = 0x7654;
  std::uint8_t d_mask = 0xf;  ///< SIMD: the lanes that are written; the others come from s2.
  bool saturate = false;
  bool wrap = false;                                                     ///< shifts
  bool negate_product = false, negate_addend = false, plus_one = false;  ///< multiply_add
  std::uint8_t scale = 0;  ///< multiply_add: the right shift of the result, 0, 7 or 15
  enum class Secondary : std::uint8_t { none, add, min, max } secondary = Secondary::none;
  friend bool operator==(const VideoFields&, const VideoFields&) = default;
};

/// A machine instruction. Its operation uses only some of the fields (operation.def); the others
/// keep their default values.
struct Instruction {
  Operation operation = Operation::move;
  ValueType type = ValueType::none;
  ValueType source_type = ValueType::none;
  Guard guard;
  /// Guarded instructions only: nothing reads the destinations' old values in the lanes that the
  /// guard excludes. So the instruction counts as writing all lanes.
  bool writes_whole = false;

  // Arithmetic.
  Rounding rounding = Rounding::nearest;
  IntegralRounding integral_rounding = IntegralRounding::none;
  bool flush_subnormals = false;  ///< ftz
  bool saturate = false;          ///< sat: to [0, 1], or to the integer type's range
  bool saturate_finite = false;   ///< cvt.satfinite
  bool relu = false;
  bool approximate = false;
  bool full_range = false;     ///< div.full
  bool propagate_nan = false;  ///< min.NaN, max.NaN
  bool xorsign_abs = false;
  bool carry_in = false, carry_out = false;
  bool wrap = false;                ///< shf.wrap, bmsk.wrap, szext.wrap
  bool high = false;                ///< dp2a.hi
  bool shift_amount = false;        ///< bfind.shiftamt
  bool contractible = false;        ///< PTX states no rounding, so it may be fused into an fma.
  bool out_of_bounds_zero = false;  ///< fma.oob
  Comparison comparison = Comparison::equal;
  Boolean boolean = Boolean::none;
  FloatTest test = FloatTest::finite;
  PermuteMode permute_mode = PermuteMode::index;
  std::uint8_t table = 0;  ///< lop3: the truth table
  VideoFields video;

  // Warp-wide.
  Shuffle shuffle = Shuffle::index;
  Vote vote = Vote::all;
  bool match_all = false;
  bool synchronous = true;  ///< False for the old shfl and vote without a member mask.
  Special special = Special::lane;

  // Memory.
  Space space = Space::generic;
  bool to_space = false;          ///< cvta.to
  std::uint8_t vector_count = 1;  ///< The number of values that each lane accesses.
  Reduction reduction = Reduction::add;
  MemoryOrder order = MemoryOrder::weak;
  Scope scope = Scope::none;
  CacheOperator cache = CacheOperator::all;
  /// Space local without s0: `offset` is relative to the end of the frame, where the callee's frame
  /// begins. Outgoing arguments and incoming results lie there.
  bool outgoing = false;
  std::uint8_t copy_bytes = 0;  ///< cp.async: 4, 8 or 16
  CopyWait copy_wait = CopyWait::commit;
  std::int64_t offset = 0;
  TextureGeometry geometry = TextureGeometry::d2;
  TextureLevel level = TextureLevel::base;
  TextureQuery query = TextureQuery::width;
  SurfaceBoundary boundary = SurfaceBoundary::trap;
  bool formatted = false;                ///< sust.p: converts to the surface's format
  bool is_surface_query = false;         ///< suq rather than txq
  std::uint8_t gather_component = 0xff;  ///< tld4: 0-3

  // Control.
  BarrierKind barrier = BarrierKind::sync;
  SystemCall system_call = SystemCall::vprintf;
  /// branch: the index of the block, or after assembly its program counter. branch_indexed: the
  /// index of the branch table. call: the index of the function.
  std::uint32_t target = kNone;
  /// After assembly: the program counter at which threads that diverge at this branch reconverge;
  /// kNone: they leave the function separately.
  std::uint32_t reconvergence = kNone;

  /// The longest list is that of an unpack to 8 bytes. (A texture read has d0..d3 and a predicate.)
  InlineVector<Operand, 8> destinations;
  /// The longest list is that of tex.grad.3d: handle, sampler, 3 coordinates and 2 x 3 gradients.
  InlineVector<Operand, 12> sources;

  std::uint32_t ptx_line = 0;    ///< Line in the PTX module's text.
  std::uint32_t source = kNone;  ///< Index into Program::source_lines.

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

}  // namespace heddle::code
