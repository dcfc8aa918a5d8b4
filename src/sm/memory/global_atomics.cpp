#include "sm/memory/global_atomics.h"

#include <algorithm>
#include <bit>

#include "sm/memory/touched_pieces.h"

namespace heddle::sm {
namespace {

memory::CoalescerParameters coalescer_for_atomics(const LoadStoreDescription& description) {
  memory::CoalescerParameters shape = description.coalescer.shape;
  shape.segment_bytes = std::min(shape.segment_bytes, description.lsu.request_bytes);
  return shape;
}

}  // namespace

GlobalAtomics::GlobalAtomics(const LoadStoreDescription& description, CachePath& l1,
                             GlobalStores& stores, SharedParts& shared)
    : path_(l1),
      stores_(stores),
      shared_(shared),
      l1_present_(description.l1.present),
      sector_bytes_(description.coalescer.shape.sector_bytes),
      coalescer_(coalescer_for_atomics(description)) {}

void GlobalAtomics::build(const MemoryInstruction& instruction, QueuedInstruction& built) {
  built.kind = QueuedInstruction::Kind::atomic;
  built.bytes_per_lane = instruction.bytes_per_lane;
  built.wants_old_values = instruction.wants_old_values;
  built.work = instruction.work;
  coalescer_.coalesce(*instruction.addresses, instruction.lanes, instruction.bytes_per_lane,
                      built.segments);
  for (std::size_t i = 0; i < built.segments.size(); ++i) {
    built.passes[i] = max_lanes_per_address(*instruction.addresses, built.segments[i].lanes);
  }
  ++shared_.counters.atomics;
  shared_.counters.atomic_segments += built.segments.size();
}

AccessQueue::Stall GlobalAtomics::access(const QueuedInstruction& instruction, Cycle at) {
  using Stall = AccessQueue::Stall;
  const Stall stall = shared_.crossbar.can_send(at) ? Stall::none : Stall::send_full;
  if (shared_.trace.log() != nullptr) path_.note_access(instruction, stall, at);
  if (stall == Stall::none) send(instruction, at);
  return stall;
}

void GlobalAtomics::send(const QueuedInstruction& instruction, Cycle at) {
  const memory::Segment& segment = instruction.segments[instruction.next];
  L1Cache& l1 = path_.cache();
  stores_.clean_line(segment, {.origin = instruction.origin, .cause = "atomic"}, at);
  if (l1_present_) l1.invalidate(l1.line_of(segment.address));

  const auto first = static_cast<std::uint32_t>(std::countr_zero(segment.sectors));
  const auto sectors = static_cast<std::uint32_t>(std::bit_width(segment.sectors)) - first;
  const auto lanes = static_cast<std::uint32_t>(segment.lanes.count());
  const std::uint32_t register_bytes = std::max(instruction.bytes_per_lane, 4U);
  memory::Request request;
  request.address = segment.address + std::uint64_t{first} * sector_bytes_;
  request.bytes = sectors * sector_bytes_;
  request.kind = memory::RequestKind::atomic;
  request.carried_bytes = instruction.bytes_per_lane * lanes;
  request.response_bytes = instruction.wants_old_values ? register_bytes * lanes : 0;
  request.passes = instruction.passes[instruction.next];
  request.lanes = segment.lanes;
  request.work = instruction.work;
  shared_.crossbar.send_atomic(request, instruction.load, at, instruction.origin);
}

}  // namespace heddle::sm
