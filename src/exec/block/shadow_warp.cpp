#include "exec/block/shadow_warp.h"

#include <algorithm>
#include <cassert>

#include "exec/block/control.h"
#include "exec/fault/fault.h"
#include "exec/memory/address_space.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec {

void ShadowWarp::copy(Block& block, const Warp& warp) {
  assert(warp.thread_control == nullptr && warp.state == Warp::State::running);
  constexpr auto kRegisters = static_cast<std::size_t>(OperandRef::Base::registers);
  const code::FunctionInfo& info = block.launch().info();
  const auto* const registers =
      reinterpret_cast<const VectorRegister*>(warp.context.base[kRegisters]);
  block_ = &block;
  // One more than needed, as in Block::start(): the first register then has an address even if the
  // kernel has none.
  registers_.assign(registers, registers + info.registers_per_thread);
  registers_.emplace_back();
  predicates_.assign(warp.context.predicates,
                     warp.context.predicates + info.predicates_per_thread + 1);
  warp_.state = warp.state;
  warp_.stack = warp.stack;
  warp_.context = warp.context;
  warp_.context.base[kRegisters] = registers_.front().lane;
  warp_.context.predicates = predicates_.data();
  warp_.context.accesses = &accesses_;
  warp_.context.accesses_to = nullptr;
  decoded_ = nullptr;
}

bool ShadowWarp::find_addresses(std::uint32_t bytes) {
  exec::find_addresses(warp_.context, *decoded_);
  for (LaneMask rest = active(); !rest.empty(); rest = rest.without_lowest()) {
    const std::uint64_t address = addresses()[static_cast<std::size_t>(rest.lowest())];
    if (address % bytes != 0) return false;
    if (address < kGlobalBase) continue;
    const AllocationWindow window = window_at(warp_.context, address);
    if (window.bytes == 0 || address - window.begin + bytes > window.bytes) return false;
  }
  return true;
}

LaneMask ShadowWarp::lanes_in_device_memory() const {
  LaneMask found;
  for (LaneMask rest = active(); !rest.empty(); rest = rest.without_lowest()) {
    if (addresses()[static_cast<std::size_t>(rest.lowest())] < kGlobalBase) continue;
    found = found | LaneMask::of_lane(rest.lowest());
  }
  return found;
}

bool ShadowWarp::execute() {
  try {
    if (decoded_->is_control) {
      execute_control();
      return true;
    }
    if (warp_.context.active != 0) decoded_->handler(warp_.context, *decoded_);
  } catch (const LaneFault&) {
    return false;
  }
  skip();
  return true;
}

void ShadowWarp::execute_control() {
  SoloWarp solo(*block_, warp_);
  Control(solo).execute(*decoded_);
  if (finished()) return;
  const CallFrame& frame = warp_.stack.frame();
  warp_.context.frame_base = frame.base;
  warp_.context.frame_top = frame.top;
}

}  // namespace heddle::exec
