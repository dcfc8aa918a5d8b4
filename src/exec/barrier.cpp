#include "exec/barrier.h"

#include <fmt/format.h>

#include <bit>

#include "exec/block.h"
#include "exec/fault.h"

namespace heddle::exec {
namespace {

/// An operand that must be the same in all active lanes.
std::uint32_t uniform_value(const LaneContext& context, RowRef ref, const char* what) {
  const std::uint32_t* row = context.row(ref);
  const int first = LaneMask(context.active).lowest();
  for (LaneMask lanes(context.active); !lanes.empty(); lanes = lanes.without_lowest()) {
    const int lane = lanes.lowest();
    if (row[lane] != row[first]) {
      raise(FaultKind::invalid_barrier, lane, 0, 0,
            fmt::format("the {} of a barrier differs between threads of a warp: {} and {}", what,
                        row[first], row[lane]));
    }
  }
  return row[first];
}

}  // namespace

void Block::arrive_at_barrier(Warp& warp, const Decoded& decoded) {
  LaneContext& context = warp.context;
  ReconvergenceStack& stack = warp.stack;
  const code::Instruction& instruction = launch_.program->instructions[decoded.index];
  if (context.active == 0) return stack.advance(decoded.index + 1);

  const LaneMask lanes(context.active);
  const std::uint32_t id = uniform_value(context, decoded.source[0], "number");
  if (id >= kBarriers) {
    raise(FaultKind::invalid_barrier, lanes.lowest(), 0, 0,
          fmt::format("barrier {} does not exist: a block has {}", id, kBarriers));
  }
  std::uint32_t expected = 0;
  if (decoded.source_count > 1 && decoded.source[1].present()) {
    expected = uniform_value(context, decoded.source[1], "thread count");
    const auto most = static_cast<std::uint32_t>(warps_.size()) * 32;
    if (expected == 0 || expected % 32 != 0 || expected > most) {
      raise(FaultKind::invalid_barrier, lanes.lowest(), 0, 0,
            fmt::format("barrier {} is to wait for {} threads: that must be a multiple of 32, at "
                        "least 32 and at most the block's {}",
                        id, expected, most));
    }
  }
  Barrier& barrier = barriers_[id];
  if (barrier.in_use() && barrier.expected != expected) {
    raise(FaultKind::invalid_barrier, lanes.lowest(), 0, 0,
          fmt::format("barrier {} is to wait for {} threads here, for {} where others arrived", id,
                      expected, barrier.expected));
  }

  const bool waits = instruction.barrier != code::BarrierKind::arrive;
  if (waits) {
    if (stack.top().arrived.empty()) {
      const std::uint32_t value = decoded.predicate_source[0].present()
                                      ? context.predicate(decoded.predicate_source[0])
                                      : 0;
      barrier.true_count += static_cast<std::uint32_t>(std::popcount(value & lanes.bits()));
      barrier.all_true = barrier.all_true && (~value & lanes.bits()) == 0;
      barrier.any_true = barrier.any_true || (value & lanes.bits()) != 0;
      stack.arrive(lanes);
    }
    // The warp's other threads may be on their way to a barrier too: it waits as a whole when all
    // that can get there have.
    if (stack.top().mask != stack.live() && stack.rotate()) return;
    const std::uint32_t bit = std::uint32_t{1} << warp.identity.warp;
    warp.state = Warp::State::at_barrier;
    warp.barrier = id;
    barrier.waiting |= bit;
    running_ &= ~bit;
    waiting_ |= bit;
  } else {
    stack.advance(decoded.index + 1);
  }
  barrier.expected = expected;
  barrier.arrived += 32;
  if (barrier.complete(unfinished_threads())) release_barrier(id);
}

void Block::release_barrier(std::uint32_t id) {
  const Barrier done = barriers_[id];
  barriers_[id] = {};
  running_ |= done.waiting;
  waiting_ &= ~done.waiting;
  for (std::uint32_t waiting = done.waiting; waiting != 0; waiting &= waiting - 1) {
    Warp& warp = warps_[static_cast<std::size_t>(std::countr_zero(waiting))];
    warp.state = Warp::State::running;
    LaneContext& context = warp.context;
    warp.stack.release([&](const ReconvergenceStack::Entry& entry) {
      const code::Instruction& instruction = launch_.program->instructions[entry.pc];
      if (instruction.operation != code::Operation::barrier) return false;
      const Decoded& decoded = launch_.code->instructions[entry.pc];
      context.active = entry.arrived.bits();
      switch (instruction.barrier) {
        case code::BarrierKind::sync:
        case code::BarrierKind::arrive:
          break;
        case code::BarrierKind::reduce_popc:
          if (decoded.destination[0].present()) {
            std::uint32_t* row = context.row(decoded.destination[0]);
            for (LaneMask l = entry.arrived; !l.empty(); l = l.without_lowest()) {
              row[l.lowest()] = done.true_count;
            }
          }
          break;
        case code::BarrierKind::reduce_and:
          context.set_predicate(decoded.predicate_destination[0],
                                done.all_true ? ~std::uint32_t{0} : 0);
          break;
        case code::BarrierKind::reduce_or:
          context.set_predicate(decoded.predicate_destination[0],
                                done.any_true ? ~std::uint32_t{0} : 0);
          break;
      }
      return true;
    });
    // No entry can end here: a barrier is never the last instruction of a function.
  }
}

}  // namespace heddle::exec
