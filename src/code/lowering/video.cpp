// The video instructions: arithmetic on bytes and halves that are selected from words.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;
using ptx::Opcode;
using Selector = ptx::Operand::Selector;

namespace {

struct Shape {
  VideoOperation operation;
  std::uint8_t lanes;
};

Shape shape_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::vadd:
      return {VideoOperation::add, 1};
    case Opcode::vadd2:
      return {VideoOperation::add, 2};
    case Opcode::vadd4:
      return {VideoOperation::add, 4};
    case Opcode::vsub:
      return {VideoOperation::sub, 1};
    case Opcode::vsub2:
      return {VideoOperation::sub, 2};
    case Opcode::vsub4:
      return {VideoOperation::sub, 4};
    case Opcode::vabsdiff:
      return {VideoOperation::absolute_difference, 1};
    case Opcode::vabsdiff2:
      return {VideoOperation::absolute_difference, 2};
    case Opcode::vabsdiff4:
      return {VideoOperation::absolute_difference, 4};
    case Opcode::vmin:
      return {VideoOperation::min, 1};
    case Opcode::vmin2:
      return {VideoOperation::min, 2};
    case Opcode::vmin4:
      return {VideoOperation::min, 4};
    case Opcode::vmax:
      return {VideoOperation::max, 1};
    case Opcode::vmax2:
      return {VideoOperation::max, 2};
    case Opcode::vmax4:
      return {VideoOperation::max, 4};
    case Opcode::vavrg2:
      return {VideoOperation::average, 2};
    case Opcode::vavrg4:
      return {VideoOperation::average, 4};
    case Opcode::vshl:
      return {VideoOperation::shift_left, 1};
    case Opcode::vshr:
      return {VideoOperation::shift_right, 1};
    case Opcode::vmad:
      return {VideoOperation::multiply_add, 1};
    case Opcode::vset:
      return {VideoOperation::set, 1};
    case Opcode::vset2:
      return {VideoOperation::set, 2};
    case Opcode::vset4:
      return {VideoOperation::set, 4};
    default:
      refuse("a video instruction of this kind is not supported");
  }
}

Selector selector_of(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::reg ? operand.selector() : Selector{};
}

/// The part that a scalar instruction's operand selects. 0 to 3: a byte, 4 and 5: a half, 0xff: the
/// whole word.
std::uint8_t single_select(const ptx::Operand& operand) {
  const Selector selector = selector_of(operand);
  if (selector.count == 0) return 0xff;
  if (selector.count != 1) refuse("a selector names several parts instead of one");
  return static_cast<std::uint8_t>(selector.parts[0] + (selector.halves ? 4 : 0));
}

/// The parts that a SIMD instruction's operand selects: four bits per lane, the lowest lane in the
/// low bits. `default_selectors` is the value without a selector.
std::uint16_t lane_select(const ptx::Operand& operand, std::uint8_t lanes,
                          std::uint16_t default_selectors) {
  const Selector selector = selector_of(operand);
  if (selector.count == 0) return default_selectors;
  if (selector.count != lanes) refuse("a selector does not name a part for each lane");
  std::uint16_t out = 0;
  for (std::uint8_t lane = 0; lane < lanes; ++lane) {
    const std::uint8_t part = selector.parts[selector.count - 1 - lane];
    out = static_cast<std::uint16_t>(out | (part & 0xf) << (4 * lane));
  }
  return out;
}

/// The mask of the lanes that the destination's selector names; all without one.
std::uint8_t written_lanes(const ptx::Operand& to, std::uint8_t lanes) {
  const Selector selector = selector_of(to);
  if (selector.count == 0) return static_cast<std::uint8_t>((1 << lanes) - 1);
  unsigned out = 0;
  for (std::uint8_t i = 0; i < selector.count; ++i) {
    if (selector.parts[i] >= lanes) refuse("a lane that does not exist is written");
    out |= 1U << selector.parts[i];
  }
  return static_cast<std::uint8_t>(out);
}

/// The operand without its minus sign: VideoFields has flags for negated operands of multiply_add.
Operand unsigned_value(Translator& t, const ptx::Operand& from) {
  ptx::Operand plain = from;
  plain.negated = false;
  return t.value(plain, ValueType::b32);
}

VideoFields::Secondary secondary_of(const Translator& t) {
  for (const Modifier modifier : t.current().modifiers) {
    if (modifier == Modifier::add) return VideoFields::Secondary::add;
    if (modifier == Modifier::min) return VideoFields::Secondary::min;
    if (modifier == Modifier::max) return VideoFields::Secondary::max;
  }
  return VideoFields::Secondary::none;
}

}  // namespace

void lower_video(Translator& t) {
  const Shape shape = shape_of(t.current().opcode);
  const bool multiply_add = shape.operation == VideoOperation::multiply_add;
  const bool compares = shape.operation == VideoOperation::set;
  // vset writes 0 or 1, so it only names the types of a and b.
  const std::size_t first = compares ? 0 : 1;
  const ValueType d_type = compares ? ValueType::u32 : t.type(0);

  VideoFields video;
  video.operation = shape.operation;
  video.lanes = shape.lanes;
  video.d_signed = is_signed_integer(d_type);
  video.a_signed = is_signed_integer(t.type(first));
  video.b_signed = is_signed_integer(t.type(first + 1));
  video.saturate = t.has(Modifier::sat);
  video.wrap = t.has(Modifier::wrap);
  const ptx::Operand& to = t.operand(0);
  const ptx::Operand& a_operand = t.operand(1);
  const ptx::Operand& b_operand = t.operand(2);
  if (shape.lanes == 1) {
    video.a_select = single_select(a_operand);
    video.b_select = single_select(b_operand);
    video.d_select = single_select(to);
    if (multiply_add) video.c_select = single_select(t.operand(3));
  } else {
    video.a_lanes = lane_select(a_operand, shape.lanes, shape.lanes == 2 ? 0x10 : 0x3210);
    video.b_lanes = lane_select(b_operand, shape.lanes, shape.lanes == 2 ? 0x32 : 0x7654);
    video.d_mask = written_lanes(to, shape.lanes);
  }
  if (multiply_add) {
    video.negate_product = a_operand.negated != b_operand.negated;
    video.negate_addend = t.operand(3).negated;
    video.plus_one = t.has(Modifier::po);
    if (t.has(Modifier::shr7)) video.scale = 7;
    if (t.has(Modifier::shr15)) video.scale = 15;
  } else {
    video.secondary = secondary_of(t);
  }
  const Operand d = t.result(to, ValueType::b32);
  const Operand a = unsigned_value(t, a_operand);
  const Operand b = unsigned_value(t, b_operand);
  const Operand c = t.operand_count() > 3 ? unsigned_value(t, t.operand(3)) : Operand::none();
  const Comparison comparison = compares ? comparison_of(t) : Comparison::equal;
  Instruction& out = t.emit(Operation::video, d_type, {d}, {a, b});
  if (c.present()) out.sources.push_back(c);
  out.comparison = comparison;
  out.video = video;
}

}  // namespace heddle::code::lowering
