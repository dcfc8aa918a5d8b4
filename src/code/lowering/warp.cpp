// Warp-wide instructions: shuffles, votes, match, redux and others.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;
using Kind = ptx::Operand::Kind;

namespace {

/// The two parts of `d|p`; the second is null if only d is given.
struct Pair {
  const ptx::Operand* first;
  const ptx::Operand* second;
};

Pair pair_of(const Translator& t, const ptx::Operand& operand) {
  if (operand.kind != Kind::pair) return {&operand, nullptr};
  return {&t.element(operand, 0), &t.element(operand, 1)};
}

/// Appends the destination predicate `to`, unless it is null or `_`.
void append_predicate(Translator& t, Instruction& out, const ptx::Operand* to) {
  if (to == nullptr) return;
  const Operand p = t.predicate_result(*to);
  if (p.present()) out.destinations.push_back(p);
}

}  // namespace

void lower_shfl(Translator& t) {
  Shuffle mode = Shuffle::index;
  if (t.has(Modifier::up)) mode = Shuffle::up;
  if (t.has(Modifier::down)) mode = Shuffle::down;
  if (t.has(Modifier::bfly)) mode = Shuffle::butterfly;
  const bool synchronous = t.has(Modifier::sync);
  const Pair to = pair_of(t, t.operand(0));
  const Operand d = t.result(*to.first, ValueType::b32);
  const Operand a = t.source(1, ValueType::b32);
  const Operand lane = t.source(2, ValueType::u32);
  const Operand clamp = t.source(3, ValueType::u32);
  const Operand members = synchronous ? t.source(4, ValueType::b32) : Operand::none();
  Instruction& out = t.emit(Operation::shfl, ValueType::b32, {d}, {a, lane, clamp});
  if (synchronous) out.sources.push_back(members);
  append_predicate(t, out, to.second);
  out.shuffle = mode;
  out.synchronous = synchronous;
}

void lower_vote(Translator& t) {
  Vote vote = Vote::all;
  if (t.has(Modifier::any)) vote = Vote::any;
  if (t.has(Modifier::uni)) vote = Vote::uniform;
  if (t.has(Modifier::ballot)) vote = Vote::ballot;
  const bool synchronous = t.has(Modifier::sync);
  const ValueType type = vote == Vote::ballot ? ValueType::b32 : ValueType::pred;
  const Operand d = t.destination(0, type);
  const Operand a = t.predicate_source(1);
  const Operand members = synchronous ? t.source(2, ValueType::b32) : Operand::none();
  Instruction& out = t.emit(Operation::vote, type, {d}, {a});
  if (synchronous) out.sources.push_back(members);
  out.vote = vote;
  out.synchronous = synchronous;
}

void lower_match(Translator& t) {
  const Pair to = pair_of(t, t.operand(0));
  const Operand d = t.result(*to.first, ValueType::b32);
  const Operand a = t.source(1, t.type());
  const Operand members = t.source(2, ValueType::b32);
  Instruction& out = t.emit(Operation::match, t.type(), {d}, {a, members});
  append_predicate(t, out, to.second);
  out.match_all = t.has(Modifier::all);
}

void lower_activemask(Translator& t) {
  const Operand d = t.destination(0, ValueType::b32);
  t.emit(Operation::activemask, ValueType::b32, {d}, {});
}

void lower_redux(Translator& t) {
  const ValueType type = t.type();
  if (is_floating(type)) refuse("redux of floating-point values");
  const Operand d = t.destination(0, type);
  const Operand a = t.source(1, type);
  const Operand members = t.source(2, ValueType::b32);
  const Reduction reduction = reduction_of(t);
  t.emit(Operation::redux, type, {d}, {a, members}).reduction = reduction;
}

void lower_elect(Translator& t) {
  const Pair to = pair_of(t, t.operand(0));
  const Operand d = t.result(*to.first, ValueType::b32);
  const Operand members = t.source(1, ValueType::b32);
  Instruction& out = t.emit(Operation::elect, ValueType::b32, {d}, {members});
  append_predicate(t, out, to.second);
}

}  // namespace heddle::code::lowering
