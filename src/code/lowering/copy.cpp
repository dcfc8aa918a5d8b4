// cp.async: asynchronous copies from global to shared memory.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;

namespace {

void lower_wait(Translator& t, CopyWait wait) {
  Instruction& out = t.emit(Operation::copy_async_wait, ValueType::none, {}, {});
  out.copy_wait = wait;
  if (wait == CopyWait::wait_group) out.sources.push_back(t.source(0, ValueType::u32));
}

}  // namespace

void lower_cp(Translator& t) {
  if (t.has(Modifier::bulk) || t.has(Modifier::tensor) || t.has(Modifier::reduce)) {
    refuse("Heddle does not execute bulk copies, including tensor copies and bulk reductions");
  }
  if (t.has(Modifier::mbarrier_object)) {
    refuse("Heddle does not execute barriers in memory (mbarrier)");
  }
  if (t.has(Modifier::commit_group)) return lower_wait(t, CopyWait::commit);
  if (t.has(Modifier::wait_group)) return lower_wait(t, CopyWait::wait_group);
  if (t.has(Modifier::wait_all)) return lower_wait(t, CopyWait::wait_all);

  // An optional cache policy is the last operand. It is ignored.
  const std::size_t count =
      t.operand_count() - (t.has(Modifier::L2_cache_hint) && t.operand_count() > 3 ? 1 : 0);
  const ptx::Operand& size = t.operand(2);
  if (size.kind != ptx::Operand::Kind::integer ||
      (size.bits != 4 && size.bits != 8 && size.bits != 16)) {
    refuse("the size is not 4, 8 or 16");
  }
  const MemoryAddress to = t.memory_address(t.operand(0), Space::shared);
  const Operand from = t.address_operand(t.memory_address(t.operand(1), Space::global));
  Operand limit;
  if (count > 3) {
    limit =
        t.is_predicate_register(t.operand(3)) ? t.predicate_source(3) : t.source(3, ValueType::u32);
  }
  Instruction& out = t.emit(Operation::copy_async, ValueType::none, {}, {to.base, from});
  if (limit.present()) out.sources.push_back(limit);
  out.space = to.space;
  out.offset = to.offset;
  out.copy_bytes = static_cast<std::uint8_t>(size.bits);
  set_memory_suffixes(t, out);
}

}  // namespace heddle::code::lowering
