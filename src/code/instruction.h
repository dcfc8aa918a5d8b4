#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/value_type.h"
#include "code/operation.h"

namespace heddle::code {

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
    variable,   ///< the address of module variable `index` plus `bits`, in the variable's own space
    generic_variable,  ///< likewise, as a generic address
    function,          ///< the address of function `index` of the program
  };

  Kind kind = Kind::none;
  std::uint8_t width = 1;  ///< The number of 32-bit registers that it takes: 1, 2, or 4 for b128.
  bool negated = false;    ///< Predicate sources only: the complement is read.
  bool last_use = false;   ///< Register sources only: the value is not read again (liveness).
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

/// Fields of the video instructions (Operation::video).
struct VideoFields {
  VideoOperation operation = VideoOperation::add;
  std::uint8_t lanes = 1;  ///< 1 (vadd), 2 (vadd2) or 4 (vadd4)
  bool a_signed = false, b_signed = false, d_signed = false;
  std::uint8_t a_select = 0xff;  ///< lanes 1: 0-3 byte, 4-5 half, 0xff the whole word
  std::uint8_t b_select = 0xff;  ///< lanes 2 and 4: two resp. four 4-bit selectors in a_/b_lanes
  std::uint8_t c_select = 0xff;  ///< multiply_add
  std::uint8_t d_select = 0xff;  ///< lanes 1: where d goes, merged with s2
  std::uint16_t a_lanes = 0x3210, b_lanes = 0x7654;  ///< selector of lane i in bits 4i..4i+3
  std::uint8_t d_mask = 0xf;  ///< SIMD: which lanes are written (others from s2)
  bool saturate = false;
  bool wrap = false;                                                     ///< shifts
  bool negate_product = false, negate_addend = false, plus_one = false;  ///< multiply_add
  std::uint8_t scale = 0;  ///< multiply_add: 0, 7 or 15
  enum class Secondary : std::uint8_t { none, add, min, max } secondary = Secondary::none;
  friend bool operator==(const VideoFields&, const VideoFields&) = default;
};

struct Instruction {
  Operation operation = Operation::move;
  ValueType type = ValueType::none;
  ValueType source_type = ValueType::none;
  Guard guard;
  /// Guarded instructions only: nothing reads the destinations' old values in the excluded lanes.
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
  bool contractible = false;        ///< PTX gave no rounding: may be fused into a multiply-add
  bool out_of_bounds_zero = false;  ///< fma.oob
  Comparison comparison = Comparison::equal;
  Boolean boolean = Boolean::none;
  FloatTest test = FloatTest::finite;
  PermuteMode permute_mode = PermuteMode::index;
  std::uint8_t table = 0;  ///< lop3
  VideoFields video;

  // Warp-wide.
  Shuffle shuffle = Shuffle::index;
  Vote vote = Vote::all;
  bool match_all = false;
  bool synchronous = true;  ///< False for the old shfl and vote without a member mask.
  Special special = Special::lane;

  // Memory.
  Space space = Space::generic;
  bool to_space = false;  ///< cvta.to
  std::uint8_t vector_count = 1;
  Reduction reduction = Reduction::add;
  MemoryOrder order = MemoryOrder::weak;
  Scope scope = Scope::none;
  CacheOperator cache = CacheOperator::all;
  /// Space local without s0: `offset` is relative to the end of the frame, where the callee's frame
  /// begins. Outgoing arguments and incoming results lie there.
  bool outgoing = false;
  std::uint8_t copy_bytes = 0;
  CopyWait copy_wait = CopyWait::commit;
  std::int64_t offset = 0;
  TextureGeometry geometry = TextureGeometry::d2;
  TextureLevel level = TextureLevel::base;
  TextureQuery query = TextureQuery::width;
  SurfaceBoundary boundary = SurfaceBoundary::trap;
  bool formatted = false;                ///< sust.p: by the surface's own format
  bool is_surface_query = false;         ///< suq rather than txq
  std::uint8_t gather_component = 0xff;  ///< tld4: 0-3

  // Control.
  BarrierKind barrier = BarrierKind::sync;
  SystemCall system_call = SystemCall::vprintf;
  /// branch: the block, or the program counter after assembly; branch_indexed: the branch table;
  /// call: the function.
  std::uint32_t target = kNone;
  /// After assembly: where threads that diverge at this branch reconverge; kNone: at the function's
  /// end.
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
