#include "sm/memory/memory_stage.h"

#include <algorithm>

#include "exec/memory/address_space.h"

namespace heddle::sm {
namespace {

/// The lanes of an instruction with generic addresses, by the address space of their address.
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

/// The members of `lanes` whose offset in their local memory is less than `bytes`.
LaneMask lanes_below(const memory::LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes) {
  LaneMask found;
  if (bytes == 0) return found;
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    const auto lane = static_cast<std::size_t>(lanes.lowest());
    if (exec::offset_in_window(addresses[lane]) < bytes) {
      found = found | LaneMask::of_lane(lanes.lowest());
    }
  }
  return found;
}

/// Whether the instruction writes registers after a long latency.
bool has_late_results(const IssueInfo& info) { return info.is_long_latency && info.writes != 0; }

}  // namespace

void MemoryStage::send(Token token, const MemoryPass& pass, const LaunchSpaces& spaces, Cycle at) {
  const IssueInfo& info = *pending_[token].instruction;
  const memory::LaneAddresses& addresses = *pass.addresses;
  if (pass.atomic != kNoAtomic) {
    atomics_[pass.atomic].next_of_instruction = pending_[token].first_atomic;
    pending_[token].first_atomic = pass.atomic;
    return send_part(token, pass, MemoryPath::global, pass.lanes, addresses, at);
  }
  if (info.kind == InstructionKind::texture) {
    return send_part(token, pass, MemoryPath::texture, pass.lanes, addresses, at);
  }
  switch (info.route) {
    case MemoryRoute::none:
      break;
    case MemoryRoute::global:
      send_part(token, pass, MemoryPath::global, pass.lanes, addresses, at);
      break;
    case MemoryRoute::shared:
      send_part(token, pass, MemoryPath::shared, pass.lanes, addresses, at);
      break;
    case MemoryRoute::local:
      send_local(token, pass, pass.lanes, spaces.local_bytes, at);
      break;
    case MemoryRoute::constant:
      send_constants(token, pass, pass.lanes, spaces.parameters, at);
      break;
    case MemoryRoute::generic: {
      const LanesBySpace lanes = lanes_by_space(addresses, pass.lanes);
      send_part(token, pass, MemoryPath::global, lanes.global, addresses, at);
      send_part(token, pass, MemoryPath::shared, lanes.shared, addresses, at);
      send_local(token, pass, lanes.local, spaces.local_bytes, at);
      if (pass.action == MemoryAction::load) {
        send_constants(token, pass, lanes.parameter, spaces.parameters, at);
      }
      break;
    }
  }
}

void MemoryStage::send_local(Token token, const MemoryPass& pass, LaneMask lanes,
                             std::uint32_t local_bytes, Cycle at) {
  if (lanes.empty()) return;
  const LaneMask in_scratchpad = lanes_below(*pass.addresses, lanes, private_bytes_);
  const memory::LaneAddresses& translated =
      local_.translate(pass, lanes, pending_[token].instruction->bytes_per_lane, local_bytes);
  send_part(token, pass, MemoryPath::shared, in_scratchpad, translated, at, true);
  send_part(token, pass, MemoryPath::global, lanes & ~in_scratchpad, translated, at, true);
}

/// Sends accesses to constant variables, which are in device memory, or to kernel parameters. All
/// lanes of an instruction access the same kind.
void MemoryStage::send_constants(Token token, const MemoryPass& pass, LaneMask lanes,
                                 std::uint64_t parameters, Cycle at) {
  const memory::LaneAddresses* addresses = pass.addresses;
  if (lanes.empty()) return;
  if (parameters != 0 &&
      (*addresses)[static_cast<std::size_t>(lanes.lowest())] < exec::kGlobalBase) {
    for (std::size_t lane = 0; lane < parameter_addresses_.size(); ++lane) {
      parameter_addresses_[lane] = (*addresses)[lane] + parameters;
    }
    addresses = &parameter_addresses_;
  }
  send_part(token, pass, MemoryPath::constant, lanes, *addresses, at);
}

void MemoryStage::send_part(Token token, const MemoryPass& pass, MemoryPath path, LaneMask lanes,
                            const memory::LaneAddresses& addresses, Cycle at, bool local) {
  if (lanes.empty()) return;
  PendingInstruction& pending = pending_[token];
  MemoryInstruction instruction{.path = path,
                                .action = pass.action,
                                .lanes = lanes,
                                .bytes_per_lane = pending.instruction->bytes_per_lane,
                                .addresses = &addresses,
                                .token = token,
                                .cached = !pending.instruction->bypasses_l1,
                                .local = local,
                                .context = pending.context,
                                .origin = {.warp = pending.warp, .pc = pending.pc}};
  if (pass.atomic != kNoAtomic) {
    instruction.work = &atomics_[pass.atomic];
    instruction.wants_old_values = atomics_[pass.atomic].work.wants_old_values();
  }
  const std::optional<Cycle> completed = unit_.add(instruction, at);
  if (pass.action == MemoryAction::store) return;
  if (completed) {
    pending.latest = std::max(pending.latest, *completed);
  } else {
    ++pending.parts;
  }
}

Cycle MemoryStage::end(Token token) {
  const PendingInstruction& pending = pending_[token];
  if (pending.parts == 0) {
    pending_.remove(token);
    return pending.latest;
  }
  if (pending.context == ContextKind::ahead) return Cycle::never();
  busy_ |= set_of(pending.warp);
  ++in_flight_[pending.warp];
  if (has_late_results(*pending.instruction)) ++long_latency_in_flight_[pending.warp];
  if (pending.first_atomic != kNoAtomic) atomics_.mark_sent(pending.warp, pending.first_atomic);
  return Cycle::never();
}

std::optional<MemoryStage::CompletedInstruction> MemoryStage::complete(
    const MemoryCompletion& completion) {
  PendingInstruction& pending = pending_[completion.token];
  pending.latest = std::max(pending.latest, completion.at);
  if (--pending.parts > 0) return std::nullopt;
  const PendingInstruction done = pending;
  pending_.remove(completion.token);
  if (done.context == ContextKind::ahead) {
    if (ahead_loads_ != nullptr) ahead_loads_->complete_ahead(completion.token, done.latest);
    return std::nullopt;
  }
  if (--in_flight_[done.warp] == 0) busy_ &= ~set_of(done.warp);
  if (has_late_results(*done.instruction)) --long_latency_in_flight_[done.warp];
  if (done.first_atomic != kNoAtomic) atomics_.retire(done.warp, done.first_atomic);
  return CompletedInstruction{
      .warp = done.warp, .instruction = done.instruction, .at = done.latest};
}

}  // namespace heddle::sm
