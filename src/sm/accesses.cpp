// How a multiprocessor's memory instructions go to its load-store unit, and how they come back.

#include <bit>

#include "exec/address_space.h"
#include "exec/warp.h"
#include "sm/sm.h"

namespace heddle::sm {
namespace {

/// Where the threads' local memories lie: far above what a program can allocate. Those of a warp
/// are interleaved by words, so that threads that access the same variable access neighbours.
constexpr std::uint64_t kLocalBase = std::uint64_t{1} << 44;
constexpr std::uint64_t kWordRow = 128;

/// Lanes by the memory that their generic addresses lead to.
struct LanesBySpace {
  LaneMask global, shared, local, parameter;
};

LanesBySpace lanes_by_space(const memory::LaneAddresses& addresses, LaneMask lanes) {
  LanesBySpace found;
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(lanes.lowest())];
    const LaneMask lane = LaneMask::of_lane(lanes.lowest());
    if (address >= exec::kGlobalBase) {
      found.global = found.global | lane;
    } else if (exec::in_window(address, exec::kSharedWindow)) {
      found.shared = found.shared | lane;
    } else if (exec::in_window(address, exec::kLocalWindow)) {
      found.local = found.local | lane;
    } else {
      found.parameter = found.parameter | lane;
    }
  }
  return found;
}

}  // namespace

/// Hands an access of `warp` over, in as many parts as there are kinds of memory in it. Returns
/// when it is complete, or never() where that will be told; of stores it says nothing.
Cycle Sm::send(WarpSlot warp, const Access& access, Cycle at) {
  const std::uint32_t token = begin_access(warp, at);
  send_pass(token, access, at);
  return end_access(token);
}

std::uint32_t Sm::begin_access(WarpSlot warp, Cycle at) {
  return pending_.add({.warp = warp, .parts = 0, .instruction = slots_[warp].next, .latest = at});
}

void Sm::send_pass(std::uint32_t token, const Access& access, Cycle at) {
  const IssueInfo& info = *pending_[token].instruction;
  const memory::LaneAddresses& addresses = *access.addresses;
  if (access.atomic != kNoAtomic) {
    Atomic& atomic = *atomics_[access.atomic];
    atomic.next_of_instruction = pending_[token].first_atomic;
    pending_[token].first_atomic = access.atomic;
    return send_part(token, access, MemoryPath::global, access.lanes, addresses, at);
  }
  if (info.kind == InstructionKind::texture) {
    return send_part(token, access, MemoryPath::texture, access.lanes, addresses, at);
  }
  switch (info.route) {
    case MemoryRoute::none:
      break;
    case MemoryRoute::global:
      send_part(token, access, MemoryPath::global, access.lanes, addresses, at);
      break;
    case MemoryRoute::shared:
      send_part(token, access, MemoryPath::shared, access.lanes, addresses, at);
      break;
    case MemoryRoute::local:
      send_local(token, access, access.lanes, at);
      break;
    case MemoryRoute::constant:
      send_part(token, access, MemoryPath::constant, access.lanes, addresses, at);
      break;
    case MemoryRoute::generic: {
      const LanesBySpace lanes = lanes_by_space(addresses, access.lanes);
      send_part(token, access, MemoryPath::global, lanes.global, addresses, at);
      send_part(token, access, MemoryPath::shared, lanes.shared, addresses, at);
      send_local(token, access, lanes.local, at);
      if (access.action == MemoryAction::load) {
        send_part(token, access, MemoryPath::constant, lanes.parameter, addresses, at);
      }
      break;
    }
  }
}

Cycle Sm::end_access(std::uint32_t token) {
  const Pending& pending = pending_[token];
  if (pending.parts == 0) {
    pending_.remove(token);
    return pending.latest;
  }
  Slot& slot = slots_[pending.warp];
  ++slot.memory_under_way;
  for (std::uint32_t i = pending.first_atomic; i != kNoAtomic;
       i = atomics_[i]->next_of_instruction) {
    ++slot.atomics_under_way;
    atomics_[i]->next = slot.first_atomic;
    slot.first_atomic = i;
  }
  return Cycle::never();
}

void Sm::send_part(std::uint32_t token, const Access& access, MemoryPath path, LaneMask lanes,
                   const memory::LaneAddresses& addresses, Cycle at, bool local) {
  if (lanes.empty()) return;
  Pending& pending = pending_[token];
  MemoryInstruction instruction{.path = path,
                                .action = access.action,
                                .lanes = lanes,
                                .bytes_per_lane = pending.instruction->bytes_per_lane,
                                .addresses = &addresses,
                                .token = token,
                                .cached = !pending.instruction->passes_by_l1,
                                .local = local};
  if (access.atomic != kNoAtomic) {
    instruction.work = atomics_[access.atomic].get();
    instruction.wants_old_values = atomics_[access.atomic]->work.wants_old_values();
  }
  const std::optional<Cycle> complete = memory_.add(instruction, at);
  if (access.action == MemoryAction::store) return;
  if (complete) {
    pending.latest = std::max(pending.latest, *complete);
  } else {
    ++pending.parts;
  }
}

void Sm::send_local(std::uint32_t token, const Access& access, LaneMask lanes, Cycle at) {
  if (lanes.empty()) return;
  const Slot& slot = slots_[pending_[token].warp];
  const std::uint64_t bytes_per_lane = pending_[token].instruction->bytes_per_lane;
  const std::uint64_t local_bytes = slot.grid->launch->local_bytes;
  const std::uint64_t bytes_of_a_row = (local_bytes + 15) / 16 * 16 * 32;
  for (LaneMask left = lanes; !left.empty(); left = left.without_lowest()) {
    const auto lane = static_cast<std::size_t>(left.lowest());
    const std::uint64_t home = access.homes != nullptr ? (*access.homes)[lane] : access.home;
    const std::uint64_t base =
        kLocalBase + (std::uint64_t{place_.number} * kMostWarps + home) * bytes_of_a_row;
    const std::uint64_t offset = (*access.addresses)[lane] & 0xffff'ffff;
    // Whole elements of the lanes lie side by side, wide ones over several rows of words.
    const std::uint64_t element = offset / bytes_per_lane * bytes_per_lane;
    translated_[lane] = bytes_per_lane >= 4 ? base + element / 4 * kWordRow + lane * bytes_per_lane
                                            : base + offset / 4 * kWordRow + lane * 4 + offset % 4;
  }
  send_part(token, access, MemoryPath::global, lanes, translated_, at, true);
}

void Sm::complete(const MemoryCompletion& completion) {
  Pending& pending = pending_[completion.token];
  pending.latest = std::max(pending.latest, completion.at);
  if (--pending.parts > 0) return;
  const Pending done = pending;
  pending_.remove(completion.token);
  Slot& slot = slots_[done.warp];
  const IssueTable& table = slot.grid->table;
  --slot.memory_under_way;
  for (std::uint32_t i = done.first_atomic; i != kNoAtomic;) {
    const std::uint32_t next = atomics_[i]->next_of_instruction;
    take_back_atomic(slot, i);
    i = next;
  }
  const Cycle usable = operands_->write(done.warp, table.writes(*done.instruction), done.latest);
  dependence_->complete(done.warp, table, *done.instruction, usable);
  if (!slot.blocked || (fenced_ & set_of(done.warp)) != 0) return;
  if (slot.finished) {
    if (slot.memory_under_way > 0) return;
    unblock(done.warp, now_);
    if (done.latest <= now_) return end_warp(done.warp, now_);
    return place(done.warp, done.latest, StallCause::drain);
  }
  switch (slot.cause) {
    case StallCause::barrier:
    case StallCause::sleeping:
      return;
    default:
      unblock(done.warp, now_);
      prepare(done.warp);
  }
}

/// The atomic has been performed: its old values go to their registers.
void Sm::take_back_atomic(Slot& slot, std::uint32_t number) {
  Atomic& atomic = *atomics_[number];
  atomic.work.deliver(atomic.row->context);
  std::uint32_t* link = &slot.first_atomic;
  while (*link != number) link = &atomics_[*link]->next;
  *link = atomic.next;
  --slot.atomics_under_way;
  free_atomics_.push_back(number);
}

std::uint32_t Sm::new_atomic(exec::Warp& row) {
  if (free_atomics_.empty()) {
    free_atomics_.push_back(static_cast<std::uint32_t>(atomics_.size()));
    atomics_.push_back(std::make_unique<Atomic>());
  }
  const std::uint32_t number = free_atomics_.back();
  free_atomics_.pop_back();
  atomics_[number]->row = &row;
  return number;
}

}  // namespace heddle::sm
