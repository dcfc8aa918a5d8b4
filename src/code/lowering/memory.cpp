// Loads, stores, prefetches, fences and conversions of addresses.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;
using Kind = ptx::Operand::Kind;

namespace {

/// Refuses asynchronous forms of memory instructions, which Heddle does not execute.
void refuse_asynchronous(const Translator& t) {
  if (t.has(Modifier::async) || t.has(Modifier::bulk) ||
      t.has(Modifier::mbarrier_complete_tx_bytes)) {
    refuse("asynchronous accesses of this kind are not supported");
  }
}

/// The elements of a vector operand, or the one operand.
InlineVector<const ptx::Operand*, 8> elements_of(const Translator& t, const ptx::Operand& operand) {
  InlineVector<const ptx::Operand*, 8> out;
  if (operand.kind != Kind::vector) {
    out.push_back(&operand);
    return out;
  }
  if (operand.count == 0 || operand.count > 8) refuse("a vector of this length is not supported");
  for (std::size_t i = 0; i < operand.count; ++i) out.push_back(&t.element(operand, i));
  return out;
}

bool is_kernel_parameter(const MemoryAddress& address) {
  return address.space == Space::parameter && !address.base.present();
}

}  // namespace

void set_memory_suffixes(const Translator& t, Instruction& out) {
  for (const Modifier modifier : t.current().modifiers) {
    switch (modifier) {
      case Modifier::volatile_:
        out.order = MemoryOrder::volatile_;
        break;
      case Modifier::mmio:
      case Modifier::relaxed:
        out.order = MemoryOrder::relaxed;
        break;
      case Modifier::acquire:
        out.order = MemoryOrder::acquire;
        break;
      case Modifier::release:
        out.order = MemoryOrder::release;
        break;
      case Modifier::sc:
      case Modifier::acq_rel:
        out.order = MemoryOrder::acquire_release;
        break;
      case Modifier::cta:
        out.scope = Scope::block;
        break;
      case Modifier::cluster:
        out.scope = Scope::cluster;
        break;
      case Modifier::gl:
      case Modifier::gpu:
        out.scope = Scope::device;
        break;
      case Modifier::sys:
        out.scope = Scope::system;
        break;
      case Modifier::cg:
        out.cache = CacheOperator::global;
        break;
      case Modifier::cs:
        out.cache = CacheOperator::streaming;
        break;
      case Modifier::lu:
        out.cache = CacheOperator::last_use;
        break;
      case Modifier::cv:
      case Modifier::wt:
        out.cache = CacheOperator::uncached;
        break;
      case Modifier::nc:
        out.cache = CacheOperator::non_coherent;
        break;
      default:
        break;
    }
  }
}

void lower_ld(Translator& t) {
  refuse_asynchronous(t);
  const ValueType type = t.type();
  const auto to = elements_of(t, t.operand(0));
  InlineVector<Operand, 8> destinations;
  for (const ptx::Operand* element : to) {
    const Operand d = t.any_result(*element);
    if (d.present() && d.width < registers_of(type)) refuse("a register is too narrow");
    destinations.push_back(d);
  }
  MemoryAddress from = t.address(1);
  const bool whole_words = size_of(type) >= 4 && from.offset % 4 == 0;
  if (destinations.size() == 1 || (is_kernel_parameter(from) && whole_words) ||
      from.value_register) {
    for (const Operand& d : destinations) {
      if (Instruction* out = t.emit_load(type, d, from)) set_memory_suffixes(t, *out);
      from.offset += size_of(type);
    }
    return;
  }
  Instruction* out = t.emit_load(type, destinations[0], from);
  if (out == nullptr) refuse("a vector access to a variable with a single value is not supported");
  for (std::size_t i = 1; i < destinations.size(); ++i)
    out->destinations.push_back(destinations[i]);
  out->vector_count = static_cast<std::uint8_t>(destinations.size());
  set_memory_suffixes(t, *out);
}

void lower_st(Translator& t) {
  refuse_asynchronous(t);
  const ValueType type = t.type();
  InlineVector<Operand, 8> values;
  for (const ptx::Operand* element : elements_of(t, t.operand(1))) {
    values.push_back(t.value(*element, type));
  }
  const MemoryAddress to = t.address(0);
  if (to.space == Space::parameter || to.space == Space::constant) {
    refuse("it writes to constant or parameter memory, which is read-only");
  }
  Instruction* out = t.emit_store(type, to, values[0]);
  if (out == nullptr) return;
  for (std::size_t i = 1; i < values.size(); ++i) out->sources.push_back(values[i]);
  out->vector_count = static_cast<std::uint8_t>(values.size());
  set_memory_suffixes(t, *out);
}

void lower_prefetch(Translator& t) {
  if (t.has(Modifier::tensormap)) refuse("tensor maps are not supported");
  const MemoryAddress at = t.address(0);
  Instruction& out = t.emit(Operation::prefetch, ValueType::none, {}, {at.base});
  out.space = at.space;
  out.offset = at.offset;
  if (t.has(Modifier::L2)) out.cache = CacheOperator::global;
}

void lower_cvta(Translator& t) {
  const ValueType type = t.type();
  if (type != ValueType::u64) refuse("generic addresses must have 64 bits");
  const bool to_space = t.has(Modifier::to);
  const Operand d = t.destination(0, type);
  const ptx::Operand& from = t.operand(1);
  const bool names_variable =
      from.kind == Kind::variable ||
      (from.kind == Kind::address && from.base == ptx::Operand::Base::variable);
  const Space space = names_variable ? t.space_of(from.index) : t.named_space();
  if (space == Space::generic) refuse("the state space is missing");
  const Operand a = names_variable
                        ? t.address_value(from.index, static_cast<std::int64_t>(from.bits), 2)
                        : t.value(from, type);
  if (a.kind == Operand::Kind::variable && space != Space::shared && !to_space) {
    Operand generic = a;
    generic.kind = Operand::Kind::generic_variable;
    t.emit(Operation::move, ValueType::b64, {d}, {generic});
    return;
  }
  Instruction& out = t.emit(Operation::convert_address, type, {d}, {a});
  out.space = space;
  out.to_space = to_space;
}

void lower_isspacep(Translator& t) {
  const Operand p = t.destination(0, ValueType::pred);
  Space space = t.named_space();
  for (const Modifier modifier : t.current().modifiers) {
    if (modifier == Modifier::param || modifier == Modifier::param_entry) space = Space::parameter;
  }
  if (space == Space::generic) refuse("the state space is missing");
  const Operand a = t.source(1, ValueType::u64);
  t.emit(Operation::is_space, ValueType::u64, {p}, {a}).space = space;
}

void lower_fence(Translator& t) {
  if (t.has(Modifier::tensormap) || t.has(Modifier::tensormap_generic)) {
    refuse("tensor maps are not supported");
  }
  if (t.has(Modifier::mbarrier_init) || t.has(Modifier::sync_restrict_shared_cluster)) {
    refuse("clusters are not supported");
  }
  Instruction& out = t.emit(Operation::fence, ValueType::none, {}, {});
  out.order = MemoryOrder::acquire_release;
  set_memory_suffixes(t, out);
  if (out.scope == Scope::none) out.scope = Scope::system;
}

/// createpolicy: a cache policy is a hint that Heddle ignores, so any value will do.
void lower_createpolicy(Translator& t) {
  const Operand d = t.destination(0, ValueType::b64);
  if (d.present()) t.emit(Operation::move, ValueType::b64, {d}, {Operand::immediate(0, 2)});
}

}  // namespace heddle::code::lowering
