// Translates memory addresses and the variables that PTX names in them.

#include <algorithm>
#include <limits>

#include "code/launch_constants.h"
#include "code/lowering/translator.h"

namespace heddle::code::lowering {

using ptx::Modifier;

namespace {

/// The maximum size of an argument that is copied. Larger ones are refused, since the copy is a
/// list of loads and stores.
constexpr std::uint64_t kMaxCopyBytes = std::uint64_t{64} * 1024;

Space space_of_variable(VariableSpace space) {
  switch (space) {
    case VariableSpace::global:
      return Space::global;
    case VariableSpace::constant:
      return Space::constant;
    case VariableSpace::shared:
      return Space::shared;
    case VariableSpace::local:
      return Space::local;
  }
  return Space::generic;
}

}  // namespace

Space Translator::named_space() const {
  for (const Modifier modifier : current_->modifiers) {
    switch (modifier) {
      case Modifier::const_:
        return Space::constant;
      case Modifier::global:
        return Space::global;
      case Modifier::local:
        return Space::local;
      case Modifier::shared:
      case Modifier::shared_cta:
        return Space::shared;
      case Modifier::shared_cluster:
        refuse("the shared memory of a cluster is not supported");
      // The parameters of a device function lie on the thread's stack.
      case Modifier::param_entry:
        return Space::parameter;
      case Modifier::param_func:
        return Space::local;
      case Modifier::param:
        return function_.is_kernel ? Space::parameter : Space::local;
      default:
        break;
    }
  }
  return Space::generic;
}

Space Translator::space_of(std::uint32_t index) const {
  const ValueType declared = variable(index).type;
  if (declared == ValueType::texref || declared == ValueType::surfref ||
      declared == ValueType::samplerref) {
    refuse("texture, sampler and surface references are not supported (texture objects are)");
  }
  const auto placed = plan_.places.find(index);
  if (placed != plan_.places.end()) {
    return placed->second.where == VariablePlace::Where::kernel_parameter ? Space::parameter
                                                                          : Space::local;
  }
  const std::uint32_t linked = linked_.variables[place_.module][index];
  if (linked == kDynamicShared) return Space::shared;
  if (linked == kNotLinked) refuse("'" + variable(index).name + "' has no place in memory");
  return space_of_variable(linked_.program.variables[linked].space);
}

MemoryAddress Translator::variable_address(std::uint32_t index, std::int64_t offset) {
  MemoryAddress out;
  out.offset = offset;
  out.space = space_of(index);
  const auto placed = plan_.places.find(index);
  if (placed != plan_.places.end()) {
    out.offset += static_cast<std::int64_t>(placed->second.offset);
    out.outgoing = placed->second.where == VariablePlace::Where::outgoing;
    // Calls can read and write it, so it is no part of the kernel's frame.
    if (placed->second.where == VariablePlace::Where::thread) out.base = Operand::immediate(0, 1);
    if (placed->second.where == VariablePlace::Where::value)
      out.value_register = variable_registers_.at(index);
    return out;
  }
  const std::uint32_t linked = linked_.variables[place_.module][index];
  if (linked == kDynamicShared) {
    out.base = address_value(index, 0, 1);
  } else {
    out.base = Operand::variable(linked, 0, out.space == Space::shared ? 1 : 2);
  }
  return out;
}

Operand Translator::address_value(std::uint32_t index, std::int64_t addend, int width) {
  // An address that is known only at run time: a special register plus an offset.
  const auto relative = [&](Special special, std::uint64_t offset) {
    Operand out = new_register(1);
    compute(Operation::read_special, ValueType::u32, {out}, {}).special = special;
    if (offset != 0) {
      const Operand sum = new_register(1);
      compute(Operation::add, ValueType::u32, {sum},
              {out, Operand::immediate(offset & 0xffff'ffff)});
      out = sum;
    }
    if (width == 1) return out;
    const Operand wide = new_register(2);
    compute(Operation::convert, ValueType::u64, {wide}, {out}).source_type = ValueType::u32;
    return wide;
  };

  const auto placed = plan_.places.find(index);
  if (placed != plan_.places.end()) {
    const std::uint64_t offset = placed->second.offset + static_cast<std::uint64_t>(addend);
    switch (placed->second.where) {
      case VariablePlace::Where::kernel_parameter:
      case VariablePlace::Where::thread:
        return Operand::immediate(offset, width);
      case VariablePlace::Where::frame:
        if (!function_.is_kernel) return relative(Special::stack_pointer, offset);
        // The argument's address could not be distinguished from that of a kernel parameter.
        if (variable(index).space == ptx::StateSpace::param) {
          refuse("the address of a call's argument is taken in a kernel");
        }
        return Operand::immediate(offset, width);
      case VariablePlace::Where::outgoing:
      case VariablePlace::Where::value:
        refuse("the address of a call's argument is taken");
    }
  }
  const std::uint32_t linked = linked_.variables[place_.module][index];
  if (linked == kDynamicShared) {
    dynamic_shared_alignment_ =
        std::max({dynamic_shared_alignment_, variable(index).alignment, std::uint32_t{1}});
    return relative(Special::dynamic_shared_offset, static_cast<std::uint64_t>(addend));
  }
  static_cast<void>(space_of(index));  // Refuses variables that are not in memory.
  return Operand::variable(linked, addend, width);
}

MemoryAddress Translator::memory_address(const ptx::Operand& from, Space default_space) {
  using Base = ptx::Operand::Base;
  const auto addend = static_cast<std::int64_t>(from.bits);
  MemoryAddress out;
  if (from.kind == ptx::Operand::Kind::variable ||
      (from.kind == ptx::Operand::Kind::address && from.base == Base::variable)) {
    out = variable_address(from.index, addend);
  } else if (from.kind == ptx::Operand::Kind::address && from.base == Base::reg) {
    out.space = default_space;
    out.base = registers_[from.index];
    if (out.base.is_predicate()) refuse("a predicate is used as an address");
    out.offset = addend;
    // An offset to a 32-bit address may be written as a large unsigned number.
    if (out.base.width == 1) out.offset = static_cast<std::int32_t>(from.bits & 0xffff'ffff);
  } else if (from.kind == ptx::Operand::Kind::reg) {
    out.space = default_space;
    out.base = value(from, ValueType::b32);
  } else if (from.kind == ptx::Operand::Kind::integer || from.kind == ptx::Operand::Kind::address) {
    out.space = default_space;
    out.base = Operand::immediate(from.bits, 2);
  } else {
    refuse("an operand is not an address");
  }
  const bool fits = out.offset >= std::numeric_limits<std::int32_t>::min() &&
                    out.offset <= std::numeric_limits<std::int32_t>::max();
  if (!fits) {
    if (!out.base.present()) refuse("the address is too far from its variable");
    const Operand sum = new_register(2);
    compute(Operation::add, ValueType::u64, {sum},
            {out.base, Operand::immediate(static_cast<std::uint64_t>(out.offset), 2)});
    out.base = sum;
    out.offset = 0;
  }
  return out;
}

Operand Translator::address_operand(const MemoryAddress& address) {
  if (!address.base.present()) refuse("the address of a parameter or local variable");
  if (address.offset == 0) return address.base;
  const auto bits = static_cast<std::uint64_t>(address.offset);
  if (address.base.kind == Operand::Kind::variable) {
    Operand out = address.base;
    out.bits += bits;
    return out;
  }
  const bool wide = address.base.width == 2;
  const Operand sum = new_register(address.base.width);
  compute(Operation::add, wide ? ValueType::u64 : ValueType::u32, {sum},
          {address.base, Operand::immediate(wide ? bits : bits & 0xffff'ffff, wide ? 2 : 1)});
  return sum;
}

Instruction* Translator::emit_load(ValueType type, const Operand& to, const MemoryAddress& from) {
  if (from.value_register) {
    emit_move(type, to, Operand::reg(*from.value_register, registers_of(type)));
    return nullptr;
  }
  const int bytes = size_of(type);
  const bool whole_words = bytes == 4 || bytes == 8;
  if (from.space == Space::parameter && !from.base.present() && whole_words &&
      from.offset % 4 == 0 && to.present()) {
    if (from.offset < 0 ||
        from.offset + bytes > static_cast<std::int64_t>(align_up(plan_.own_layout.bytes, 4))) {
      refuse("it reads beyond the kernel's parameters");
    }
    emit_move(
        type, to,
        Operand::constant(launch_constants::kParameters + static_cast<std::uint32_t>(from.offset),
                          registers_of(type)));
    return nullptr;
  }
  Instruction& out = emit(Operation::load, type, {to}, {from.base});
  out.space = from.space;
  out.offset = from.offset;
  out.outgoing = from.outgoing;
  return &out;
}

Instruction* Translator::emit_store(ValueType type, const MemoryAddress& to, const Operand& from) {
  if (to.value_register) {
    const Operand reg = Operand::reg(*to.value_register, registers_of(type));
    // Take the low bits of a wider register.
    Operand low = from;
    if (low.width > reg.width) {
      low = new_register(1);
      compute(Operation::convert, ValueType::u32, {low}, {from}).source_type = ValueType::u64;
    }
    emit_move(reg.width == 2 ? ValueType::b64 : ValueType::b32, reg, low);
    return nullptr;
  }
  Instruction& out = emit(Operation::store, type, {}, {to.base, from});
  out.space = to.space;
  out.offset = to.offset;
  out.outgoing = to.outgoing;
  return &out;
}

void Translator::emit_copy(const MemoryAddress& to, const MemoryAddress& from, std::uint64_t bytes,
                           std::uint64_t alignment) {
  if (bytes > kMaxCopyBytes) refuse("an argument of more than 64 KiB");
  MemoryAddress source = from;
  MemoryAddress target = to;
  while (bytes > 0) {
    int step = 8;
    while (static_cast<std::uint64_t>(step) > std::min(bytes, alignment)) step /= 2;
    const ValueType type = step == 8   ? ValueType::b64
                           : step == 4 ? ValueType::b32
                           : step == 2 ? ValueType::b16
                                       : ValueType::b8;
    const Operand word = new_register(registers_of(type));
    emit_load(type, word, source);
    emit_store(type, target, word);
    source.offset += step;
    target.offset += step;
    bytes -= static_cast<std::uint64_t>(step);
  }
}

}  // namespace heddle::code::lowering
