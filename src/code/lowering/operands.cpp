// Translates PTX operands to operands of machine instructions.

#include <bit>

#include "code/launch_constants.h"
#include "code/lowering/translator.h"

namespace heddle::code::lowering {

using Kind = ptx::Operand::Kind;

ValueType Translator::type(std::size_t i) const {
  if (i >= current_->types.size()) refuse("a type suffix is missing");
  return current_->types[i];
}

const ptx::Operand& Translator::operand(std::size_t i) const {
  if (i >= current_->operands.size()) refuse("an operand is missing");
  return current_->operands[i];
}

const ptx::Operand& Translator::element(const ptx::Operand& list, std::size_t i) const {
  if (i >= list.count) refuse("an operand has too few elements");
  return function_.elements(list)[i];
}

ValueType Translator::register_type(const ptx::Operand& reg) const {
  return function_.registers[reg.index].type;
}

bool Translator::is_predicate_register(const ptx::Operand& operand) const {
  return operand.kind == Kind::reg && registers_[operand.index].is_predicate();
}

Operand Translator::immediate(const ptx::Operand& from, ValueType type) const {
  std::uint64_t bits = from.bits;
  const int bytes = size_of(type);
  if (from.kind == Kind::integer) {
    if (is_floating(type) && bytes > 2) refuse("an integer is used as a floating-point value");
  } else if (type == ValueType::f32 && from.kind == Kind::f64) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  } else if (type == ValueType::f64 && from.kind == Kind::f32) {
    const auto pattern = static_cast<std::uint32_t>(bits);
    bits = std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(pattern)));
  } else if (bytes != (from.kind == Kind::f32 ? 4 : 8)) {
    refuse("a floating-point constant does not fit its type");
  }
  if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  return Operand::immediate(bits, registers_of(type));
}

Operand Translator::value(const ptx::Operand& from, ValueType type) {
  const int width = registers_of(type);
  switch (from.kind) {
    case Kind::reg: {
      const Operand& reg = registers_[from.index];
      if (reg.is_predicate()) refuse("a predicate is used as a value");
      if (reg.width < width) refuse("a register is too narrow for its type");
      if (from.negated) refuse("a negated operand is not supported");
      return reg;
    }
    case Kind::integer:
    case Kind::f32:
    case Kind::f64:
      return immediate(from, type);
    case Kind::special: {
      const int special_width =
          registers_of(ptx::type_of(static_cast<ptx::SpecialRegister>(from.index)));
      const Operand to = new_register(std::max(width, special_width));
      read_special(static_cast<ptx::SpecialRegister>(from.index), to);
      return to;
    }
    case Kind::sum: {
      const Operand& reg = registers_[from.index];
      const int bytes = size_of(register_type(from));
      const ValueType added = bytes == 2   ? ValueType::u16
                              : bytes == 4 ? ValueType::u32
                                           : ValueType::u64;
      const Operand sum = new_register(reg.width);
      compute(Operation::add, added, {sum},
              {reg, immediate({.kind = Kind::integer, .bits = from.bits, .location = {}}, added)});
      return sum;
    }
    case Kind::variable:
      return address_value(from.index, static_cast<std::int64_t>(from.bits), width);
    case Kind::function:
      return function_address(from.index);
    case Kind::address:
      // A handle or an address in brackets is used as a value.
      if (from.bits == 0 && from.base == ptx::Operand::Base::reg) return registers_[from.index];
      return address_operand(memory_address(from, Space::generic));
    default:
      refuse("an operand of this kind is not a value");
  }
}

Operand Translator::predicate_value(const ptx::Operand& from) {
  if (from.kind == Kind::integer) {
    const Operand to = new_predicate();
    compute(Operation::predicate_move, ValueType::pred, {to},
            {Operand::immediate(from.bits != 0 ? 1 : 0)});
    return to;
  }
  if (!is_predicate_register(from)) refuse("a predicate is missing");
  Operand out = registers_[from.index];
  out.negated = from.negated;
  return out;
}

Operand Translator::predicate_result(const ptx::Operand& to) {
  if (to.kind == Kind::sink) return Operand::none();
  if (!is_predicate_register(to)) refuse("a predicate is missing");
  return registers_[to.index];
}

Operand Translator::any_result(const ptx::Operand& to) {
  if (to.kind == Kind::sink) return Operand::none();
  if (to.kind != Kind::reg || registers_[to.index].is_predicate()) {
    refuse("the destination is not a register");
  }
  return registers_[to.index];
}

Operand Translator::result(const ptx::Operand& to, ValueType type) {
  if (to.kind == Kind::sink) {
    return type == ValueType::pred ? new_predicate() : new_register(registers_of(type));
  }
  if (type == ValueType::pred) return predicate_result(to);
  const Operand out = any_result(to);
  if (out.width != registers_of(type)) {
    refuse("the destination's width differs from its type's");
  }
  return out;
}

Operand Translator::carry() {
  if (!carry_) carry_ = new_predicate();
  return *carry_;
}

void Translator::emit_move(ValueType type, const Operand& to, const Operand& from) {
  if (!to.present()) return;
  const bool sign = is_signed_integer(type);
  const bool narrow = size_of(type) < 4;
  if (!narrow && to.width <= from.width) {
    const ValueType moved = to.width == 2 ? ValueType::b64 : ValueType::b32;
    if (to.width == from.width) {
      emit(Operation::move, moved, {to}, {from});
    } else {
      emit(Operation::convert, ValueType::u32, {to}, {from}).source_type = ValueType::u64;
    }
    return;
  }
  const ValueType wide = to.width == 2 ? (sign ? ValueType::s64 : ValueType::u64)
                                       : (sign ? ValueType::s32 : ValueType::u32);
  ValueType source = type;
  if (!narrow) {
    source = sign ? ValueType::s32 : ValueType::u32;
  } else if (!sign) {
    source = size_of(type) == 1 ? ValueType::u8 : ValueType::u16;
  }
  emit(Operation::convert, wide, {to}, {from}).source_type = source;
}

void Translator::emit_special(Special special, ValueType type, const Operand& to) {
  if (to.width == registers_of(type)) {
    emit(Operation::read_special, type, {to}, {}).special = special;
    return;
  }
  const Operand read = new_register(registers_of(type));
  compute(Operation::read_special, type, {read}, {}).special = special;
  emit_move(to.width < read.width ? ValueType::b32 : type, to, read);
}

void Translator::read_special(ptx::SpecialRegister special, const Operand& to) {
  using ptx::SpecialRegister;
  const auto constant = [&](std::uint32_t offset) {
    emit_move(ValueType::u32, to, Operand::constant(offset));
  };
  const auto read = [&](Special s, ValueType type = ValueType::u32) { emit_special(s, type, to); };
  const auto reserved = [&](std::int64_t offset) {
    emit_move(ValueType::u32, to, Operand::variable(linked_.reserved_shared_memory, offset, 1));
  };
  switch (special) {
    case SpecialRegister::ntid_x:
      return constant(launch_constants::kBlockExtentX);
    case SpecialRegister::ntid_y:
      return constant(launch_constants::kBlockExtentY);
    case SpecialRegister::ntid_z:
      return constant(launch_constants::kBlockExtentZ);
    case SpecialRegister::nctaid_x:
      return constant(launch_constants::kGridExtentX);
    case SpecialRegister::nctaid_y:
      return constant(launch_constants::kGridExtentY);
    case SpecialRegister::nctaid_z:
      return constant(launch_constants::kGridExtentZ);
    case SpecialRegister::envreg1:
      return constant(launch_constants::kGridWorkspaceHigh);
    case SpecialRegister::envreg2:
      return constant(launch_constants::kGridWorkspaceLow);
    case SpecialRegister::tid_x:
      return read(Special::thread_x);
    case SpecialRegister::tid_y:
      return read(Special::thread_y);
    case SpecialRegister::tid_z:
      return read(Special::thread_z);
    case SpecialRegister::ctaid_x:
      return read(Special::block_x);
    case SpecialRegister::ctaid_y:
      return read(Special::block_y);
    case SpecialRegister::ctaid_z:
      return read(Special::block_z);
    case SpecialRegister::laneid:
      return read(Special::lane);
    case SpecialRegister::warpid:
      return read(Special::warp);
    case SpecialRegister::nwarpid:
      return read(Special::warps_per_block);
    case SpecialRegister::smid:
      return read(Special::sm);
    case SpecialRegister::nsmid:
      return read(Special::sm_count);
    case SpecialRegister::gridid:
      return read(Special::grid_id, ValueType::u64);
    case SpecialRegister::lanemask_eq:
      return read(Special::mask_equal);
    case SpecialRegister::lanemask_le:
      return read(Special::mask_less_equal);
    case SpecialRegister::lanemask_lt:
      return read(Special::mask_less);
    case SpecialRegister::lanemask_ge:
      return read(Special::mask_greater_equal);
    case SpecialRegister::lanemask_gt:
      return read(Special::mask_greater);
    case SpecialRegister::clock:
      return read(Special::clock);
    case SpecialRegister::clock_hi:
      return read(Special::clock_high);
    case SpecialRegister::clock64:
      return read(Special::clock64, ValueType::u64);
    case SpecialRegister::globaltimer:
      return read(Special::global_timer, ValueType::u64);
    case SpecialRegister::globaltimer_lo:
      return read(Special::global_timer_low);
    case SpecialRegister::globaltimer_hi:
      return read(Special::global_timer_high);
    case SpecialRegister::dynamic_smem_size:
      return read(Special::dynamic_shared_bytes);
    case SpecialRegister::total_smem_size:
      return read(Special::total_shared_bytes);
    case SpecialRegister::aggr_smem_size:
      return read(Special::aggregate_shared_bytes);
    case SpecialRegister::reserved_smem_offset_begin:
    case SpecialRegister::reserved_smem_offset_0:
      return reserved(0);
    case SpecialRegister::reserved_smem_offset_1:
      return reserved(kReservedSharedRegion1);
    case SpecialRegister::reserved_smem_offset_end:
      return reserved(kReservedSharedBytes);
    case SpecialRegister::reserved_smem_offset_cap:
      return emit_move(ValueType::u32, to, Operand::immediate(kReservedSharedBytes));
    default:
      refuse("the special register " + std::string(ptx::spelling_of(special)) +
             " is not supported");
  }
}

}  // namespace heddle::code::lowering
