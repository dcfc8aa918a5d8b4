#include "exec/block/barrier.h"

#include <fmt/format.h>

#include <bit>

#include "exec/block/block.h"
#include "exec/divergence/thread_control.h"
#include "exec/fault/fault.h"

namespace heddle::exec {
namespace {

/// Returns the value of an operand that must be the same in all active lanes. Raises a LaneFault if
/// it differs; `operand_name` is for the message.
std::uint32_t uniform_value(const WarpContext& context, OperandRef ref, const char* operand_name) {
  const std::uint32_t* values = context.lanes(ref);
  const int first = LaneMask(context.active).lowest();
  // Mostly the operand is an immediate. The compiler vectorizes the loop.
  std::uint32_t differing = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) differing |= values[lane] ^ values[first];
  if (differing == 0) return values[first];
  for (LaneMask lanes(context.active); !lanes.empty(); lanes = lanes.without_lowest()) {
    const int lane = lanes.lowest();
    if (values[lane] != values[first]) {
      raise(FaultKind::invalid_barrier, lane, 0, 0,
            fmt::format("the {} of a barrier differs between threads of a warp: {} and {}",
                        operand_name, values[first], values[lane]));
    }
  }
  return values[first];
}

}  // namespace

BarrierCall Block::read_barrier_call(const Warp& warp, const Decoded& decoded) const {
  const WarpContext& context = warp.context;
  const int lane = LaneMask(context.active).lowest();
  BarrierCall call{.id = uniform_value(context, decoded.source[0], "number")};
  if (call.id >= kBarriers) {
    raise(FaultKind::invalid_barrier, lane, 0, 0,
          fmt::format("barrier {} does not exist: a block has {}", call.id, kBarriers));
  }
  if (decoded.source_count > 1 && decoded.source[1].present()) {
    call.expected = uniform_value(context, decoded.source[1], "thread count");
    const auto block_threads = static_cast<std::uint32_t>(warps_.size()) * 32;
    if (call.expected == 0 || call.expected % 32 != 0 || call.expected > block_threads) {
      raise(FaultKind::invalid_barrier, lane, 0, 0,
            fmt::format("barrier {} has a thread count of {}: it must be a multiple of 32, at "
                        "least 32 and at most the block's {}",
                        call.id, call.expected, block_threads));
    }
  }
  const Barrier& barrier = barriers_[call.id];
  if (barrier.is_in_use() && barrier.expected != call.expected) {
    raise(FaultKind::invalid_barrier, lane, 0, 0,
          fmt::format("barrier {} has a thread count of {} here, but of {} where others arrived",
                      call.id, call.expected, barrier.expected));
  }
  return call;
}

void Block::accumulate_votes(const BarrierCall& call, const WarpContext& context,
                             const Decoded& decoded) {
  Barrier& barrier = barriers_[call.id];
  const std::uint32_t lanes = context.active;
  const std::uint32_t value =
      decoded.predicate_source[0].present() ? context.predicate(decoded.predicate_source[0]) : 0;
  barrier.true_count += static_cast<std::uint32_t>(std::popcount(value & lanes));
  barrier.all_true = barrier.all_true && (~value & lanes) == 0;
  barrier.any_true = barrier.any_true || (value & lanes) != 0;
}

void Block::wait_at_barrier(Warp& warp, const BarrierCall& call) {
  const std::uint32_t bit = bit_of(warp);
  warp.state = Warp::State::at_barrier;
  warp.barrier = call.id;
  barriers_[call.id].waiting_warps |= bit;
  barriers_in_use_ |= std::uint32_t{1} << call.id;
  running_warps_ &= ~bit;
  waiting_warps_ |= bit;
}

void Block::count_arrival(const BarrierCall& call) {
  Barrier& barrier = barriers_[call.id];
  barrier.expected = call.expected;
  barrier.arrived += 32;
  barriers_in_use_ |= std::uint32_t{1} << call.id;
  if (barrier.is_complete(unfinished_threads())) release_barrier(call.id);
}

void Block::arrive_at_barrier(Warp& warp, const Decoded& decoded) {
  WarpContext& context = warp.context;
  ReconvergenceStack& stack = warp.stack;
  const code::Instruction& instruction = launch_.program->instructions[decoded.index];
  if (context.active == 0) return stack.advance(decoded.index + 1);

  const BarrierCall call = read_barrier_call(warp, decoded);
  if (instruction.barrier == code::BarrierKind::arrive) {
    stack.advance(decoded.index + 1);
    return count_arrival(call);
  }
  if (stack.top().arrived.empty()) {
    accumulate_votes(call, context, decoded);
    stack.arrive(LaneMask(context.active));
  }
  // The warp's other threads may still reach a barrier. They run first. The warp waits, as a whole,
  // when every thread that can arrive has arrived.
  if (stack.top().mask != stack.live() && stack.rotate()) return;
  wait_at_barrier(warp, call);
  count_arrival(call);
}

void Block::release_barrier(std::uint32_t id) {
  const Barrier released = barriers_[id];
  barriers_[id] = {};
  barriers_in_use_ &= ~(std::uint32_t{1} << id);
  running_warps_ |= released.waiting_warps;
  waiting_warps_ &= ~released.waiting_warps;
  for (std::uint32_t waiting = released.waiting_warps; waiting != 0; waiting &= waiting - 1) {
    Warp& warp = warps_[static_cast<std::size_t>(std::countr_zero(waiting))];
    warp.state = Warp::State::running;
    if (warp.thread_control != nullptr) {
      warp.thread_control->on_release(warp, released);
      continue;
    }
    warp.stack.release([&](const ReconvergenceStack::Entry& entry) {
      if (launch_.program->instructions[entry.pc].operation != code::Operation::barrier) {
        return false;
      }
      write_barrier_result(warp, entry.pc, entry.arrived, released);
      return true;
    });
    // The release cannot finish the warp: a barrier is never the last instruction of a function.
  }
}

void Block::write_barrier_result(Warp& warp, std::uint32_t pc, LaneMask lanes,
                                 const Barrier& released) {
  WarpContext& context = warp.context;
  const Decoded& decoded = launch_.code->instructions[pc];
  context.active = lanes.bits();
  switch (launch_.program->instructions[pc].barrier) {
    case code::BarrierKind::sync:
    case code::BarrierKind::arrive:
      break;
    case code::BarrierKind::reduce_popc:
      if (decoded.destination[0].present()) {
        std::uint32_t* values = context.lanes(decoded.destination[0]);
        for (LaneMask l = lanes; !l.empty(); l = l.without_lowest()) {
          values[l.lowest()] = released.true_count;
        }
      }
      break;
    case code::BarrierKind::reduce_and:
      context.set_predicate(decoded.predicate_destination[0],
                            released.all_true ? ~std::uint32_t{0} : 0);
      break;
    case code::BarrierKind::reduce_or:
      context.set_predicate(decoded.predicate_destination[0],
                            released.any_true ? ~std::uint32_t{0} : 0);
      break;
  }
}

}  // namespace heddle::exec
