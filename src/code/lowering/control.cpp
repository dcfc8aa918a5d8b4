// Branches, barriers, the ends of a thread, and the stack.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;
using Kind = ptx::Operand::Kind;

namespace {

BarrierKind barrier_kind(const Translator& t) {
  if (t.has(Modifier::arrive)) return BarrierKind::arrive;
  if (!t.has(Modifier::red)) return BarrierKind::sync;
  if (t.has(Modifier::popc)) return BarrierKind::reduce_popc;
  if (t.has(Modifier::and_)) return BarrierKind::reduce_and;
  if (t.has(Modifier::or_)) return BarrierKind::reduce_or;
  refuse("the reduction is missing");
}

/// The alignment of alloca without an operand for it, in bytes.
constexpr std::uint64_t kDefaultStackAlignment = 8;

}  // namespace

void lower_bra(Translator& t) {
  if (t.operand(0).kind != Kind::label) refuse("the label is missing");
  t.emit_branch(t.operand(0).index);
}

void lower_brx(Translator& t) {
  const Operand index = t.source(0, ValueType::u32);
  if (t.operand(1).kind != Kind::branches) refuse("the branch table is missing");
  t.emit_indexed_branch(index, t.function().branch_tables[t.operand(1).index]);
}

void lower_ret(Translator& t) { t.emit_return(); }
void lower_exit(Translator& t) { t.emit(Operation::exit, ValueType::none, {}, {}); }
void lower_trap(Translator& t) { t.emit(Operation::trap, ValueType::none, {}, {}); }
void lower_brkpt(Translator& t) { t.emit(Operation::breakpoint, ValueType::none, {}, {}); }

void lower_nanosleep(Translator& t) {
  const Operand time = t.source(0, ValueType::u32);
  t.emit(Operation::nanosleep, ValueType::u32, {}, {time});
}

void lower_bar(Translator& t) {
  if (t.has(Modifier::cluster)) refuse("clusters are not supported");
  if (t.has(Modifier::warp)) {
    const Operand members = t.source(0, ValueType::b32);
    t.emit(Operation::warp_sync, ValueType::b32, {}, {members});
    return;
  }
  const BarrierKind kind = barrier_kind(t);
  const bool reduces = kind != BarrierKind::sync && kind != BarrierKind::arrive;
  const std::size_t id_at = reduces ? 1 : 0;
  const std::size_t operands = t.operand_count() - id_at - (reduces ? 1 : 0);
  Operand d;
  const ValueType type = kind == BarrierKind::reduce_popc ? ValueType::u32
                         : reduces                        ? ValueType::pred
                                                          : ValueType::none;
  if (reduces) d = t.destination(0, type);
  const Operand id = t.source(id_at, ValueType::u32);
  const Operand threads = operands > 1 ? t.source(id_at + 1, ValueType::u32) : Operand::none();
  if (kind == BarrierKind::arrive && !threads.present()) refuse("the thread count is missing");
  const Operand p = reduces ? t.predicate_source(t.operand_count() - 1) : Operand::none();
  Instruction& out = t.emit(Operation::barrier, type, {}, {id, threads});
  if (reduces) {
    out.destinations.push_back(d);
    out.sources.push_back(p);
  }
  out.barrier = kind;
}

void lower_alloca(Translator& t) {
  const ValueType type = t.type();
  const Operand d = t.destination(0, type);
  const Operand bytes = t.source(1, type);
  std::uint64_t alignment = kDefaultStackAlignment;
  if (t.operand_count() > 2) {
    if (t.operand(2).kind != Kind::integer) refuse("the alignment is not a constant");
    alignment = t.operand(2).bits;
  }
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > (1U << 23)) {
    refuse("the alignment is not a power of two of at most 2^23");
  }
  t.emit(Operation::alloca, type, {d}, {bytes}).offset = static_cast<std::int64_t>(alignment);
}

void lower_stacksave(Translator& t) {
  const Operand d = t.destination(0, t.type());
  t.emit(Operation::stack_save, t.type(), {d}, {});
}

void lower_stackrestore(Translator& t) {
  const Operand a = t.source(0, t.type());
  t.emit(Operation::stack_restore, t.type(), {}, {a});
}

/// For instructions that have no effect on values: performance hints and profiler events.
void lower_to_nothing(Translator&) {}

}  // namespace heddle::code::lowering
