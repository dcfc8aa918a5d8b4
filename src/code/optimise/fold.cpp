#include "code/optimise/fold.h"

namespace heddle::code {
namespace {

bool is_plain_integer(const Instruction& instruction) {
  return is_integer_or_bits(instruction.type) && size_of(instruction.type) <= 8 &&
         !instruction.saturate && !instruction.carry_in && !instruction.carry_out &&
         instruction.destinations.size() == 1;
}

/// `bits` truncated to the width of `type`, then zero- or sign-extended to 64 bits.
std::uint64_t extended(ValueType type, std::uint64_t bits) {
  const std::uint64_t cut = truncated_to(type, bits);
  const int width = size_of(type) * 8;
  if (!is_signed_integer(type) || width == 64 || (cut >> (width - 1) & 1) == 0) return cut;
  return cut | ~std::uint64_t{0} << width;
}

bool is_immediate(const Operand& operand, ValueType type, std::uint64_t bits) {
  return operand.kind == Operand::Kind::immediate &&
         truncated_to(type, operand.bits) == truncated_to(type, bits);
}

}  // namespace

std::uint64_t truncated_to(ValueType type, std::uint64_t bits) {
  const int width = size_of(type) * 8;
  return width >= 64 || width == 0 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::optional<std::uint64_t> constant_result(const Instruction& instruction) {
  if (!is_plain_integer(instruction)) return std::nullopt;
  for (const Operand& source : instruction.sources) {
    if (source.kind != Operand::Kind::immediate) return std::nullopt;
  }
  const ValueType type = instruction.type;
  const auto source = [&](std::size_t i) { return extended(type, instruction.sources[i].bits); };
  const auto result = [&](std::uint64_t bits) { return truncated_to(type, bits); };
  const auto width = static_cast<std::uint64_t>(size_of(type)) * 8;
  switch (instruction.operation) {
    case Operation::add:
      return result(source(0) + source(1));
    case Operation::sub:
      return result(source(0) - source(1));
    case Operation::mul_lo:
      return result(source(0) * source(1));
    case Operation::mad_lo:
      return result(source(0) * source(1) + source(2));
    case Operation::mul_wide:
      if (width > 32) return std::nullopt;
      return width == 32 ? source(0) * source(1) : (source(0) * source(1)) & 0xffff'ffff;
    case Operation::and_:
      return result(source(0) & source(1));
    case Operation::or_:
      return result(source(0) | source(1));
    case Operation::xor_:
      return result(source(0) ^ source(1));
    case Operation::not_:
      return result(~source(0));
    case Operation::shl: {
      const std::uint64_t amount = instruction.sources[1].bits & 0xffff'ffff;
      return amount >= width ? 0 : result(source(0) << amount);
    }
    case Operation::shr: {
      const std::uint64_t amount = instruction.sources[1].bits & 0xffff'ffff;
      if (!is_signed_integer(type)) return amount >= width ? 0 : source(0) >> amount;
      const bool negative = (source(0) >> 63) != 0;
      const std::uint64_t places = amount >= 63 ? 63 : amount;
      const std::uint64_t fill =
          negative && places > 0 ? ~std::uint64_t{0} << (64 - places) : std::uint64_t{0};
      return result(source(0) >> places | fill);
    }
    case Operation::convert:
      if (!is_integer_or_bits(instruction.source_type) || size_of(instruction.source_type) > 8 ||
          instruction.relu || instruction.saturate_finite) {
        return std::nullopt;
      }
      return result(extended(instruction.source_type, instruction.sources[0].bits));
    default:
      return std::nullopt;
  }
}

std::optional<Operand> forwarded_source(const Instruction& instruction) {
  if (!is_plain_integer(instruction) || instruction.sources.size() < 2) return std::nullopt;
  const ValueType type = instruction.type;
  const Operand& left = instruction.sources[0];
  const Operand& right = instruction.sources[1];
  switch (instruction.operation) {
    case Operation::add:
    case Operation::or_:
    case Operation::xor_:
      if (is_immediate(right, type, 0)) return left;
      if (is_immediate(left, type, 0)) return right;
      return std::nullopt;
    case Operation::sub:
      if (is_immediate(right, type, 0)) return left;
      return std::nullopt;
    case Operation::shl:
    case Operation::shr:
      // A right shift of a narrow type also clears the bits above it, but these are never read.
      if (is_immediate(right, ValueType::u32, 0)) return left;
      return std::nullopt;
    case Operation::mul_lo:
      if (is_immediate(right, type, 1)) return left;
      if (is_immediate(left, type, 1)) return right;
      return std::nullopt;
    case Operation::and_:
      if (is_immediate(right, type, ~std::uint64_t{0})) return left;
      if (is_immediate(left, type, ~std::uint64_t{0})) return right;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::code
