// The video instructions. vadd to vset work on one part of a word, vadd2 to vset2 on two halves at
// once, and vadd4 to vset4 on four bytes at once. These instructions are rare and have many forms.
// General functions therefore interpret the instruction's VideoFields in every lane.

#include "base/value_type.h"
#include "exec/lanes/by_type.h"
#include "exec/lanes/comparisons.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::VideoFields;
using code::VideoOperation;
using std::int32_t;
using std::int64_t;
using std::uint32_t;
using std::uint64_t;
using Exact = Wider<int64_t>;

/// The value of a part selector in VideoFields that selects the whole word.
constexpr int kWholeWord = 0xff;

/// The low `bits` of a word, zero- or sign-extended.
int64_t extended(uint32_t word, int bits, bool is_signed) {
  const uint64_t top = uint64_t{word} << (64 - bits);
  return is_signed ? static_cast<int64_t>(top) >> (64 - bits)
                   : static_cast<int64_t>(top >> (64 - bits));
}

/// A part of a word that a scalar instruction selects: one of the bytes (selectors 0 to 3), one of
/// the halves (selectors 4 and 5), or the whole word.
struct Part {
  int shift, bits;
};
Part part_of(int select) {
  if (select < 4) return {select * 8, 8};
  if (select < 6) return {(select - 4) * 16, 16};
  return {0, 32};
}
/// The value of the selected part, extended.
int64_t selected(uint32_t word, int select, bool is_signed) {
  const Part part = part_of(select);
  return extended(word >> part.shift, part.bits, is_signed);
}

/// Clamps a value to the range of signed or unsigned integers of `bits` bits.
template <class Number>
Number clamped(Number value, int bits, bool is_signed) {
  const Number high = (Number{1} << (is_signed ? bits - 1 : bits)) - 1;
  const Number low = is_signed ? -high - 1 : 0;
  return value < low ? low : value > high ? high : value;
}

/// The result of an operation on two operands, before it is truncated or merged. `accept` is the
/// set of relations (comparisons.h) that the comparison of vset accepts.
template <VideoOperation kOperation, class Number>
[[gnu::always_inline]] inline Number outcome(Number a, Number b, unsigned accept) {
  switch (kOperation) {
    case VideoOperation::add:
      return a + b;
    case VideoOperation::sub:
      return a - b;
    case VideoOperation::absolute_difference:
      return a < b ? b - a : a - b;
    case VideoOperation::min:
      return a < b ? a : b;
    case VideoOperation::max:
      return a > b ? a : b;
    case VideoOperation::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOperation::shift_left:
      return a * (Number{1} << static_cast<int>(b));
    case VideoOperation::shift_right:
      return a >> static_cast<int>(b);
    case VideoOperation::set:
      return holds(accept, Relation<bool>{a<b, a == b, a> b}) ? 1 : 0;
    case VideoOperation::multiply_add:
      break;
  }
  return 0;
}

// -- on parts of words ---------------------------------------------------------------------------

/// Applies the instruction's secondary operation to `value` and `c`. `value` is the result of the
/// first operation, wrapped or saturated to the destination type.
uint32_t secondary(const VideoFields& fields, uint32_t value, uint32_t c) {
  const int64_t first = extended(value, 32, fields.d_signed);
  const int64_t third = extended(c, 32, fields.d_signed);
  switch (fields.secondary) {
    case VideoFields::Secondary::none:
      break;
    case VideoFields::Secondary::add:
      return value + c;
    case VideoFields::Secondary::min:
      return first < third ? value : c;
    case VideoFields::Secondary::max:
      return first > third ? value : c;
  }
  return value;
}

template <VideoOperation kOperation>
uint32_t scalar(const Instruction& i, uint32_t a, uint32_t b, uint32_t c) {
  constexpr bool kShifts =
      kOperation == VideoOperation::shift_left || kOperation == VideoOperation::shift_right;
  const VideoFields& fields = i.video;
  const Part part = part_of(fields.d_select);
  int64_t second = selected(b, fields.b_select, fields.b_signed && !kShifts);
  if (kShifts) second = fields.wrap ? second & 31 : second > 32 ? 32 : second;
  Exact value = outcome<kOperation, Exact>(selected(a, fields.a_select, fields.a_signed), second,
                                           accepted_relations(i.comparison));
  if (fields.saturate) value = clamped(value, part.bits, fields.d_signed);
  if (fields.d_select == kWholeWord) return secondary(fields, static_cast<uint32_t>(value), c);
  const uint32_t mask = ((uint32_t{1} << part.bits) - 1) << part.shift;
  return (c & ~mask) | (static_cast<uint32_t>(value) << part.shift & mask);
}

/// vmad: a * b + c, where the product or the addend may be negated. With .po (plus one), one is
/// added to the sum.
uint32_t multiply_add(const Instruction& i, uint32_t a, uint32_t b, uint32_t c) {
  const VideoFields& fields = i.video;
  const bool is_signed =
      fields.a_signed || fields.b_signed || fields.negate_product || fields.negate_addend;
  Exact value = Exact{selected(a, fields.a_select, fields.a_signed)} *
                selected(b, fields.b_select, fields.b_signed);
  int64_t addend = selected(c, fields.c_select, is_signed);
  if (fields.plus_one) {
    value += 1;
  } else if (fields.negate_product) {
    value = -value;
  } else if (fields.negate_addend) {
    addend = extended(~c, 32, true) + 1;
  }
  value = (value + addend) >> fields.scale;
  if (fields.saturate) value = clamped(value, 32, is_signed);
  return static_cast<uint32_t>(value);
}

template <uint32_t (*kCompute)(const Instruction&, uint32_t, uint32_t, uint32_t)>
void scalar_video(WarpContext& context, const Decoded& decoded) {
  const Instruction& instruction = context.code[decoded.index];
  const SourceRegisters<2> sources(context, decoded);
  const uint32_t* const third =
      decoded.source[2].present() ? context.lanes(decoded.source[2]) : nullptr;
  write_lanes<uint32_t>(context, decoded.destination[0], [&](int lane) {
    return kCompute(instruction, sources.registers[0][lane], sources.registers[1][lane],
                    third == nullptr ? 0 : third[lane]);
  });
}

// -- on two halves or four bytes at once ---------------------------------------------------------

/// The part of an operand from which one element of a SIMD result is computed.
struct Element {
  bool second;  ///< Whether the part is in b, not in a.
  int shift;    ///< The part's lowest bit.
};
/// Finds the part that `selectors` selects for element `index`. The parts of a are numbered from 0,
/// and those of b follow.
Element element_of(unsigned selectors, int index, int parts) {
  const int part = static_cast<int>(selectors >> index * 4) & (2 * parts - 1);
  return {part >= parts, part % parts * (32 / parts)};
}

/// The handler of a SIMD instruction. The destination mask says which elements are written; the
/// others are those of c. With .add, the result is the sum of c and the elements in the mask.
template <VideoOperation kOperation, int kParts>
void simd_video(WarpContext& context, const Decoded& decoded) {
  constexpr int kWidth = 32 / kParts;
  constexpr uint32_t kMask = (uint32_t{1} << kWidth) - 1;
  const Instruction& instruction = context.code[decoded.index];
  const VideoFields fields = instruction.video;
  const unsigned accept = accepted_relations(instruction.comparison);
  const bool accumulate = fields.secondary == VideoFields::Secondary::add;
  const int32_t a_sign = fields.a_signed ? 1 << (kWidth - 1) : 0;
  const int32_t b_sign = fields.b_signed ? 1 << (kWidth - 1) : 0;
  Element a_elements[kParts], b_elements[kParts];
  for (int i = 0; i < kParts; ++i) {
    a_elements[i] = element_of(fields.a_lanes, i, kParts);
    b_elements[i] = element_of(fields.b_lanes, i, kParts);
  }
  const SourceRegisters<3> sources(context, decoded);
  write_lanes<uint32_t>(context, decoded.destination[0], [&](int lane) {
    const uint32_t a = sources.registers[0][lane];
    const uint32_t b = sources.registers[1][lane];
    const auto part = [=](Element element, int32_t sign) {
      const uint32_t bits = (element.second ? b : a) >> element.shift & kMask;
      return (static_cast<int32_t>(bits) ^ sign) - sign;
    };
    uint32_t sum = sources.registers[2][lane];
    uint32_t merged = sum;
    for (int i = 0; i < kParts; ++i) {
      const bool is_written = (fields.d_mask >> i & 1) != 0;
      int32_t value = outcome<kOperation, int32_t>(part(a_elements[i], a_sign),
                                                   part(b_elements[i], b_sign), accept);
      if (fields.saturate) value = clamped(value, kWidth, fields.d_signed);
      const auto bits = static_cast<uint32_t>(value);
      sum += is_written ? bits : 0;
      const uint32_t mask = is_written ? kMask << i * kWidth : 0;
      merged = (merged & ~mask) | (bits << i * kWidth & mask);
    }
    return accumulate ? sum : merged;
  });
}

bool is_part(int select) { return select < 6 || select == kWholeWord; }

Handler select_scalar(const Instruction& i) {
  const VideoFields& fields = i.video;
  if (!is_part(fields.a_select) || !is_part(fields.b_select) || !is_part(fields.c_select) ||
      !is_part(fields.d_select)) {
    return nullptr;
  }
  switch (fields.operation) {
    case VideoOperation::add:
      return scalar_video<scalar<VideoOperation::add>>;
    case VideoOperation::sub:
      return scalar_video<scalar<VideoOperation::sub>>;
    case VideoOperation::absolute_difference:
      return scalar_video<scalar<VideoOperation::absolute_difference>>;
    case VideoOperation::min:
      return scalar_video<scalar<VideoOperation::min>>;
    case VideoOperation::max:
      return scalar_video<scalar<VideoOperation::max>>;
    case VideoOperation::average:
      return nullptr;
    case VideoOperation::shift_left:
      return scalar_video<scalar<VideoOperation::shift_left>>;
    case VideoOperation::shift_right:
      return scalar_video<scalar<VideoOperation::shift_right>>;
    case VideoOperation::multiply_add:
      return scalar_video<multiply_add>;
    case VideoOperation::set:
      return scalar_video<scalar<VideoOperation::set>>;
  }
  return nullptr;
}

template <int kParts>
Handler select_simd(const Instruction& i) {
  const VideoFields::Secondary secondary = i.video.secondary;
  if (secondary != VideoFields::Secondary::none && secondary != VideoFields::Secondary::add) {
    return nullptr;
  }
  if (i.sources.size() < 3) return nullptr;
  switch (i.video.operation) {
    case VideoOperation::add:
      return simd_video<VideoOperation::add, kParts>;
    case VideoOperation::sub:
      return simd_video<VideoOperation::sub, kParts>;
    case VideoOperation::absolute_difference:
      return simd_video<VideoOperation::absolute_difference, kParts>;
    case VideoOperation::min:
      return simd_video<VideoOperation::min, kParts>;
    case VideoOperation::max:
      return simd_video<VideoOperation::max, kParts>;
    case VideoOperation::average:
      return simd_video<VideoOperation::average, kParts>;
    case VideoOperation::set:
      return simd_video<VideoOperation::set, kParts>;
    case VideoOperation::shift_left:
    case VideoOperation::shift_right:
    case VideoOperation::multiply_add:
      break;
  }
  return nullptr;
}

}  // namespace

Handler select_video(const Instruction& i) {
  if (i.operation != code::Operation::video) return nullptr;
  if (i.sources.size() < 2 || (accepted_relations(i.comparison) & kUnordered) != 0) return nullptr;
  switch (i.video.lanes) {
    case 1:
      return select_scalar(i);
    case 2:
      return select_simd<2>(i);
    case 4:
      return select_simd<4>(i);
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
