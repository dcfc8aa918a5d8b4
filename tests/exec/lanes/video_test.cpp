// The video instructions, compared with the PTX manual's pseudo-code in exact integers.

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Comparison;
using code::Instruction;
using code::Operand;
using code::Operation;
using code::VideoFields;
using code::VideoOperation;

constexpr Comparison kComparisons[] = {Comparison::equal,   Comparison::not_equal,
                                       Comparison::less,    Comparison::less_equal,
                                       Comparison::greater, Comparison::greater_equal};
/// The selector of a whole word.
constexpr int kWord = 0xff;

bool compares(Comparison comparison, Int a, Int b) {
  switch (comparison) {
    case Comparison::equal:
      return a == b;
    case Comparison::not_equal:
      return a != b;
    case Comparison::less:
      return a < b;
    case Comparison::less_equal:
      return a <= b;
    case Comparison::greater:
      return a > b;
    default:
      return a >= b;
  }
}

Int power(int exponent) {
  Int value = 1;
  for (int i = 0; i < exponent; ++i) value *= 2;
  return value;
}
/// value / 2^by, rounded down.
Int floor_divide(Int value, int by) {
  const Int rest = (value % power(by) + power(by)) % power(by);
  return (value - rest) / power(by);
}

/// The part of a word that a selector chooses: 0 to 3: a byte; 4 and 5: a half; kWord: the word.
Int part(std::uint64_t word, int select, bool is_signed) {
  switch (select) {
    case 0:
      return number(word & 0xff, 8, is_signed);
    case 1:
      return number(word >> 8 & 0xff, 8, is_signed);
    case 2:
      return number(word >> 16 & 0xff, 8, is_signed);
    case 3:
      return number(word >> 24 & 0xff, 8, is_signed);
    case 4:
      return number(word & 0xffff, 16, is_signed);
    case 5:
      return number(word >> 16 & 0xffff, 16, is_signed);
    default:
      return number(word, 32, is_signed);
  }
}
int bits_selected(int select) { return select < 4 ? 8 : select < 6 ? 16 : 32; }

/// The primary operation of all instructions except vmad.
Int primary(const Instruction& i, Int a, Int b) {
  switch (i.video.operation) {
    case VideoOperation::add:
      return a + b;
    case VideoOperation::sub:
      return a - b;
    case VideoOperation::absolute_difference:
      return std::max(a, b) - std::min(a, b);
    case VideoOperation::min:
      return std::min(a, b);
    case VideoOperation::max:
      return std::max(a, b);
    case VideoOperation::average:
      return floor_divide(a + b >= 0 ? a + b + 1 : a + b, 1);
    case VideoOperation::set:
      return compares(i.comparison, a, b) ? 1 : 0;
    case VideoOperation::shift_left:
      return a * power(static_cast<int>(i.video.wrap ? b % 32 : std::min(b, Int{32})));
    case VideoOperation::shift_right:
      return floor_divide(a, static_cast<int>(i.video.wrap ? b % 32 : std::min(b, Int{32})));
    default:
      return 0;
  }
}

/// The result of a scalar video instruction in one lane.
Expected scalar(const Instruction& i, const Sources& x) {
  const VideoFields& fields = i.video;
  const std::uint64_t c = x.size() > 2 ? x[2] : 0;
  const int bits = bits_selected(fields.d_select);
  Int value = primary(i, part(x[0], fields.a_select, fields.a_signed),
                      part(x[1], fields.b_select, fields.b_signed));
  if (fields.saturate) value = clamp_to(value, bits, fields.d_signed);
  if (fields.d_select != kWord) {
    const int at = fields.d_select < 4 ? fields.d_select * 8 : (fields.d_select - 4) * 16;
    Int result = 0;
    for (int bit = 0; bit < 32; ++bit) {
      const bool is_inserted = bit >= at && bit < at + bits;
      const bool set = is_inserted ? floor_divide(value, bit - at) % 2 != 0 : (c >> bit & 1) != 0;
      if (set) result += power(bit);
    }
    return {result};
  }
  const Int first = number(static_cast<std::uint64_t>(value), 32, fields.d_signed);
  const Int third = number(c, 32, fields.d_signed);
  switch (fields.secondary) {
    case VideoFields::Secondary::none:
      return {first};
    case VideoFields::Secondary::add:
      return {first + third};
    case VideoFields::Secondary::min:
      return {std::min(first, third)};
    case VideoFields::Secondary::max:
      return {std::max(first, third)};
  }
  return {};
}

TEST(Video, ScalarInstructionsSelectSaturateAndMerge) {
  std::mt19937 random(1);
  const int selects[] = {0, 1, 2, 3, 4, 5, kWord, kWord, kWord};
  for (const VideoOperation operation :
       {VideoOperation::add, VideoOperation::sub, VideoOperation::absolute_difference,
        VideoOperation::min, VideoOperation::max, VideoOperation::set, VideoOperation::shift_left,
        VideoOperation::shift_right}) {
    const bool shifts =
        operation == VideoOperation::shift_left || operation == VideoOperation::shift_right;
    for (int round = 0; round < 40; ++round) {
      Instruction video = instruction_of(Operation::video, ValueType::u32);
      VideoFields& fields = video.video;
      fields.operation = operation;
      fields.a_signed = round % 2 == 1;
      fields.b_signed = round / 2 % 2 == 1 && !shifts;
      fields.d_signed = round / 4 % 2 == 1;
      fields.saturate = round / 8 % 2 == 1 && operation != VideoOperation::set;
      fields.wrap = round / 8 % 2 == 1;
      fields.a_select = static_cast<std::uint8_t>(selects[random() % 9]);
      fields.b_select = static_cast<std::uint8_t>(selects[random() % 9]);
      video.comparison = kComparisons[round % 6];
      std::size_t sources = 3;
      switch (round % 3) {
        case 0:
          sources = 2;
          break;
        case 1:
          fields.d_select = static_cast<std::uint8_t>(selects[random() % 6]);
          break;
        default:
          fields.secondary = static_cast<VideoFields::Secondary>(1 + random() % 3);
          break;
      }
      check(
          {video, std::vector<int>(sources, 32)},
          [&](const Sources& x) { return scalar(video, x); }, 1);
    }
  }
}

TEST(Video, MultiplyAddNegatesScalesAndSaturates) {
  std::mt19937 random(2);
  const int selects[] = {0, 3, 4, 5, kWord, kWord, kWord};
  for (int round = 0; round < 160; ++round) {
    Instruction video = instruction_of(Operation::video, ValueType::u32);
    VideoFields& fields = video.video;
    fields.operation = VideoOperation::multiply_add;
    fields.a_signed = round % 2 == 1;
    fields.b_signed = round / 2 % 2 == 1;
    fields.a_select = static_cast<std::uint8_t>(selects[random() % 7]);
    fields.b_select = static_cast<std::uint8_t>(selects[random() % 7]);
    fields.saturate = round / 4 % 2 == 1;
    switch (round / 8 % 4) {
      case 1:
        fields.negate_product = true;
        break;
      case 2:
        fields.negate_addend = true;
        break;
      case 3:
        fields.plus_one = true;
        break;
      default:
        break;
    }
    fields.scale = std::array<std::uint8_t, 3>{0, 7, 15}[random() % 3];
    check(
        {video, {32, 32, 32}},
        [&](const Sources& x) {
          const bool is_signed =
              fields.a_signed || fields.b_signed || fields.negate_product || fields.negate_addend;
          Int product = part(x[0], fields.a_select, fields.a_signed) *
                        part(x[1], fields.b_select, fields.b_signed);
          Int addend = number(x[2], 32, is_signed);
          if (fields.negate_product) product = -product;
          if (fields.negate_addend) addend = -addend;
          Int value = floor_divide(product + addend + (fields.plus_one ? 1 : 0), fields.scale);
          if (fields.saturate) value = clamp_to(value, 32, is_signed);
          return Expected{value};
        },
        1);
  }
}

TEST(Video, NegatesSmallestAddendInFullPrecision) {
  // For c = -2^31, -c is 2^31: the sum uses it exactly, and only saturation clamps it.
  Instruction video = instruction_of(Operation::video, ValueType::s32);
  video.video.operation = VideoOperation::multiply_add;
  video.video.a_signed = video.video.b_signed = true;
  video.video.negate_addend = true;
  video.video.saturate = true;
  video.sources = {Operand::immediate(1), Operand::immediate(0xffffffff),
                   Operand::immediate(0x80000000)};
  video.destinations = {Operand::reg(0)};
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    ASSERT_TRUE(harness.execute(video, unit));
    EXPECT_EQ(harness.word(0, 0), 0x7fffffffU);
  }
}

/// The result of a SIMD video instruction in one lane.
Expected simd(const Instruction& i, const Sources& x) {
  const VideoFields& fields = i.video;
  const int bits = 32 / fields.lanes;
  std::vector<std::uint64_t> parts;  // The parts of a, then those of b.
  for (const std::uint64_t word : {x[0], x[1]}) {
    for (int lane = 0; lane < fields.lanes; ++lane) parts.push_back(word >> lane * bits);
  }
  Int sum = Int{x[2]};
  Int merged = 0;
  for (int lane = 0; lane < fields.lanes; ++lane) {
    const Int a = number(parts[fields.a_lanes >> 4 * lane & 0xf], bits, fields.a_signed);
    const Int b = number(parts[fields.b_lanes >> 4 * lane & 0xf], bits, fields.b_signed);
    Int value = primary(i, a, b);
    if (fields.saturate) value = clamp_to(value, bits, fields.d_signed);
    const bool written = (fields.d_mask >> lane & 1) != 0;
    if (written) sum += value;
    const Int kept = number(x[2] >> lane * bits, bits, false);
    merged += number(static_cast<std::uint64_t>(written ? value : kept), bits, false) *
              power(lane * bits);
  }
  return {fields.secondary == VideoFields::Secondary::add ? sum : merged};
}

TEST(Video, SimdInstructionsWorkOnHalvesAndBytes) {
  std::mt19937 random(3);
  for (const int lanes : {2, 4}) {
    for (const VideoOperation operation :
         {VideoOperation::add, VideoOperation::sub, VideoOperation::absolute_difference,
          VideoOperation::min, VideoOperation::max, VideoOperation::average, VideoOperation::set}) {
      for (int round = 0; round < 24; ++round) {
        Instruction video = instruction_of(Operation::video, ValueType::u32);
        VideoFields& fields = video.video;
        fields.operation = operation;
        fields.lanes = static_cast<std::uint8_t>(lanes);
        fields.a_signed = round % 2 == 1;
        fields.b_signed = round / 2 % 2 == 1;
        fields.d_signed = round / 4 % 2 == 1;
        fields.a_lanes = lanes == 2 ? 0x10 : 0x3210;
        fields.b_lanes = lanes == 2 ? 0x32 : 0x7654;
        if (round >= 8) {
          fields.a_lanes = fields.b_lanes = 0;
          for (int lane = 0; lane < lanes; ++lane) {
            fields.a_lanes = static_cast<std::uint16_t>(
                fields.a_lanes | random() % static_cast<unsigned>(2 * lanes) << 4 * lane);
            fields.b_lanes = static_cast<std::uint16_t>(
                fields.b_lanes | random() % static_cast<unsigned>(2 * lanes) << 4 * lane);
          }
          fields.d_mask = static_cast<std::uint8_t>(random() % 16);
        }
        fields.saturate = round % 3 == 1 && operation != VideoOperation::set;
        if (round % 3 == 2) fields.secondary = VideoFields::Secondary::add;
        video.comparison = kComparisons[round % 6];
        check(
            {video, {32, 32, 32}}, [&](const Sources& x) { return simd(video, x); }, 1);
      }
    }
  }
}

TEST(Video, RejectsFormsThatDoNotExist) {
  Instruction video = instruction_of(Operation::video, ValueType::u32);
  video.video.operation = VideoOperation::average;
  EXPECT_TRUE(is_refused({video, {32, 32}}));
  video.video.operation = VideoOperation::shift_left;
  video.video.lanes = 2;
  EXPECT_TRUE(is_refused({video, {32, 32, 32}}));
  video.video.operation = VideoOperation::add;
  video.video.lanes = 3;
  EXPECT_TRUE(is_refused({video, {32, 32, 32}}));
  video.video.lanes = 1;
  video.video.a_select = 6;
  EXPECT_TRUE(is_refused({video, {32, 32}}));
}

}  // namespace
}  // namespace heddle::exec::test
