// The video instructions: vadd .. vset on parts of words, vadd2 .. vset4 on two halves or four
// bytes at once. They are rare, and each has many forms: a lane at a time, told by VideoFields.

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
using std::int64_t;
using std::uint32_t;
using std::uint64_t;
using Exact = Wider<int64_t>;

constexpr int kWholeWord = 0xff;

/// The low `bits` of a word, zero- or sign-extended.
int64_t extended(uint32_t word, int bits, bool is_signed) {
  const uint64_t top = uint64_t{word} << (64 - bits);
  return is_signed ? static_cast<int64_t>(top) >> (64 - bits)
                   : static_cast<int64_t>(top >> (64 - bits));
}

/// A part that the scalar instructions can select: byte 0-3, half 4-5, or all.
struct Part {
  int shift, bits;
};
Part part_of(int select) {
  if (select < 4) return {select * 8, 8};
  if (select < 6) return {(select - 4) * 16, 16};
  return {0, 32};
}
int64_t selected(uint32_t word, int select, bool is_signed) {
  const Part part = part_of(select);
  return extended(word >> part.shift, part.bits, is_signed);
}

/// The nearest value of so many bits.
Exact clamped(Exact value, int bits, bool is_signed) {
  const Exact high = (Exact{1} << (is_signed ? bits - 1 : bits)) - 1;
  const Exact low = is_signed ? -high - 1 : 0;
  return value < low ? low : value > high ? high : value;
}

/// Averages round half up, away from zero where the sum is not negative.
Exact average(Exact sum) { return (sum >= 0 ? sum + 1 : sum) >> 1; }

uint32_t shift_distance(const VideoFields& fields, int64_t by) {
  if (fields.wrap) return static_cast<uint32_t>(by) & 31;
  return static_cast<uint32_t>(by > 32 ? 32 : by);
}

/// What a lane's two operands give before anything is cut or merged.
Exact result_of(const Instruction& i, int64_t a, int64_t b) {
  switch (i.video.operation) {
    case VideoOperation::add:
      return Exact{a} + b;
    case VideoOperation::sub:
      return Exact{a} - b;
    case VideoOperation::absolute_difference:
      return a < b ? b - a : a - b;
    case VideoOperation::min:
      return a < b ? a : b;
    case VideoOperation::max:
      return a > b ? a : b;
    case VideoOperation::average:
      return average(Exact{a} + b);
    case VideoOperation::shift_left:
      return Exact{a} * (int64_t{1} << shift_distance(i.video, b));
    case VideoOperation::shift_right:
      return Exact{a} >> shift_distance(i.video, b);
    case VideoOperation::set:
      return holds(accepted(i.comparison), Relation<bool>{a<b, a == b, a> b}) ? 1 : 0;
    case VideoOperation::multiply_add:
      break;
  }
  return 0;
}

uint32_t secondary(const VideoFields& fields, Exact value, uint32_t c) {
  const int64_t third = extended(c, 32, fields.d_signed);
  switch (fields.secondary) {
    case VideoFields::Secondary::none:
      break;
    case VideoFields::Secondary::add:
      return static_cast<uint32_t>(value + third);
    case VideoFields::Secondary::min:
      return static_cast<uint32_t>(value < third ? value : third);
    case VideoFields::Secondary::max:
      return static_cast<uint32_t>(value > third ? value : third);
  }
  return static_cast<uint32_t>(value);
}

uint32_t scalar(const Instruction& i, uint32_t a, uint32_t b, uint32_t c) {
  const VideoFields& fields = i.video;
  const bool shifts = fields.operation == VideoOperation::shift_left ||
                      fields.operation == VideoOperation::shift_right;
  const Part part = part_of(fields.d_select);
  Exact value = result_of(i, selected(a, fields.a_select, fields.a_signed),
                          selected(b, fields.b_select, fields.b_signed && !shifts));
  if (fields.saturate) value = clamped(value, part.bits, fields.d_signed);
  if (fields.d_select == kWholeWord) return secondary(fields, value, c);
  const uint32_t mask = ((uint32_t{1} << part.bits) - 1) << part.shift;
  return (c & ~mask) | (static_cast<uint32_t>(value) << part.shift & mask);
}

/// vmad. A negated product is its complement plus one, and so is a negated addend: the one stands
/// where `.po` adds its own.
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

/// Both words' parts are numbered on, a's first; a selector has four bits for each lane.
int64_t simd_part(uint64_t words, unsigned selectors, int lane, int lanes, bool is_signed) {
  const int bits = 32 / lanes;
  const int part = static_cast<int>(selectors >> lane * 4) & (2 * lanes - 1);
  return extended(static_cast<uint32_t>(words >> part * bits), bits, is_signed);
}

/// Lanes outside the mask keep c's value, or count for nothing where the results are added to c.
uint32_t simd(const Instruction& i, uint32_t a, uint32_t b, uint32_t c) {
  const VideoFields& fields = i.video;
  const int lanes = fields.lanes;
  const int bits = 32 / lanes;
  const uint64_t words = uint64_t{b} << 32 | a;
  const bool accumulate = fields.secondary == VideoFields::Secondary::add;
  uint32_t result = c;
  for (int lane = 0; lane < lanes; ++lane) {
    if ((fields.d_mask >> lane & 1) == 0) continue;
    Exact value = result_of(i, simd_part(words, fields.a_lanes, lane, lanes, fields.a_signed),
                            simd_part(words, fields.b_lanes, lane, lanes, fields.b_signed));
    if (fields.saturate) value = clamped(value, bits, fields.d_signed);
    if (accumulate) {
      result += static_cast<uint32_t>(value);
    } else {
      const uint32_t mask = ((uint32_t{1} << bits) - 1) << lane * bits;
      result = (result & ~mask) | (static_cast<uint32_t>(value) << lane * bits & mask);
    }
  }
  return result;
}

template <uint32_t (*kMeaning)(const Instruction&, uint32_t, uint32_t, uint32_t)>
void video(LaneContext& context, const Decoded& decoded) {
  const Instruction& instruction = context.code[decoded.index];
  const SourceRows<2> sources(context, decoded);
  const uint32_t* const third =
      decoded.source[2].present() ? context.row(decoded.source[2]) : nullptr;
  write_lanes<uint32_t>(context, decoded.destination[0], [&](int lane) {
    return kMeaning(instruction, sources.row[0][lane], sources.row[1][lane],
                    third == nullptr ? 0 : third[lane]);
  });
}

bool is_part(int select) { return select < 6 || select == kWholeWord; }

Handler select_scalar(const Instruction& i) {
  const VideoFields& fields = i.video;
  if (!is_part(fields.a_select) || !is_part(fields.b_select) || !is_part(fields.c_select) ||
      !is_part(fields.d_select)) {
    return nullptr;
  }
  if (fields.operation == VideoOperation::average) return nullptr;
  return fields.operation == VideoOperation::multiply_add ? video<multiply_add> : video<scalar>;
}

Handler select_simd(const Instruction& i) {
  const VideoFields& fields = i.video;
  if (fields.lanes != 2 && fields.lanes != 4) return nullptr;
  const bool adds_or_none = fields.secondary == VideoFields::Secondary::none ||
                            fields.secondary == VideoFields::Secondary::add;
  const bool scalar_only = fields.operation == VideoOperation::shift_left ||
                           fields.operation == VideoOperation::shift_right ||
                           fields.operation == VideoOperation::multiply_add;
  return adds_or_none && !scalar_only ? video<simd> : nullptr;
}

}  // namespace

Handler select_video(const Instruction& i) {
  if (i.operation != code::Operation::video) return nullptr;
  if (i.sources.size() < 2 || (accepted(i.comparison) & kUnordered) != 0) return nullptr;
  return i.video.lanes == 1 ? select_scalar(i) : select_simd(i);
}

}  // namespace heddle::exec::HEDDLE_LANES
