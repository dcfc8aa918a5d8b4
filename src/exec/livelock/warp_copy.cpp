#include "exec/livelock/warp_copy.h"

#include <cstring>

namespace heddle::exec {

WarpCopy::WarpCopy(const Block& block, const Warp& warp) : warp_(warp) {
  const code::FunctionInfo& info = block.launch().info();
  constexpr auto kRegisters = static_cast<std::size_t>(OperandRef::Base::registers);
  WarpContext& context = warp_.context;
  const std::size_t registers = info.registers_per_thread;
  const std::size_t predicates = std::size_t{info.predicates_per_thread} + 1;
  const std::size_t predicate_registers = (predicates + 31) / 32;
  const std::size_t local = context.memory.local_bytes / sizeof(std::uint32_t);
  values_.assign(registers + predicate_registers + local, VectorRegister{});
  VectorRegister* const copy = values_.data();
  std::memcpy(copy, context.base[kRegisters], registers * sizeof(VectorRegister));
  std::memcpy(copy + registers, context.predicates, predicates * sizeof(std::uint32_t));
  if (local > 0) {
    std::memcpy(copy + registers + predicate_registers, context.memory.local,
                local * sizeof(VectorRegister));
    context.memory.local = copy[registers + predicate_registers].lane;
  }
  context.base[kRegisters] = copy->lane;
  context.predicates = copy[registers].lane;
  context.memory.stores = nullptr;
  context.accesses = &accesses_;
  context.accesses_to = nullptr;
  warp_.thread_control = nullptr;
  warp_.state = Warp::State::running;
}

}  // namespace heddle::exec
