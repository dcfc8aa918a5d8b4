#include "sm/memory/scratchpad_path.h"

#include <algorithm>

namespace heddle::sm {

ScratchpadPath::ScratchpadPath(const ScratchpadDescription& description, CachePath* l1_queue,
                               const BankArbiter* banks, SharedParts& shared)
    : scratchpad_(description), l1_queue_(l1_queue), banks_(banks), shared_(shared) {}

std::optional<Cycle> ScratchpadPath::add(const MemoryInstruction& instruction, Cycle at) {
  const bool is_store = instruction.action == MemoryAction::store;
  if (instruction.local && instruction.context == ContextKind::normal) {
    ++(is_store ? shared_.counters.local_stores : shared_.counters.local_loads);
  }
  if (banks_ != nullptr) {
    append_passes_to_l1_queue(instruction, at);
    return std::nullopt;
  }
  const std::uint32_t passes = scratchpad_.passes_of(instruction);
  scratchpad_.count(instruction, passes);
  const bool is_traced = shared_.trace.log() != nullptr;
  if (is_traced) shared_.trace.note_received(instruction, passes, at);
  if (l1_queue_ != nullptr) {
    append_to_l1_queue(instruction, passes, at);
    return std::nullopt;
  }
  const Cycle usable = scratchpad_.access(passes, at);
  if (is_store) return std::nullopt;
  if (is_traced) shared_.trace.note_complete(instruction.token, usable);
  return usable;
}

/// One access in the queue stands for all passes.
void ScratchpadPath::append_to_l1_queue(const MemoryInstruction& instruction, std::uint32_t passes,
                                        Cycle at) {
  QueuedInstruction& built = l1_queue_->draft(instruction, at);
  built.kind = QueuedInstruction::Kind::scratchpad;
  built.min_cycles = passes;
  built.scratchpad_latency = scratchpad_.latency_of(passes);
  built.segments.clear();
  built.segments.push_back({});
  l1_queue_->append(built, instruction.token);
}

/// Each pass is an access of its own in the queue, because it may have to wait for its banks.
void ScratchpadPath::append_passes_to_l1_queue(const MemoryInstruction& instruction, Cycle at) {
  const memory::ClusteredPasses::Passes passes = banks_->passes().passes(
      *instruction.addresses, instruction.lanes, instruction.bytes_per_lane,
      instruction.action == MemoryAction::atomic ? memory::ClusteredPasses::SameWord::serialised
                                                 : memory::ClusteredPasses::SameWord::shared);
  scratchpad_.count(instruction, static_cast<std::uint32_t>(passes.size()));
  if (shared_.trace.log() != nullptr) shared_.trace.note_received(instruction, passes.size(), at);
  QueuedInstruction& built = l1_queue_->draft(instruction, at);
  built.kind = QueuedInstruction::Kind::scratchpad;
  built.action = instruction.action;
  built.scratchpad_latency = scratchpad_.latency_of(1);
  std::copy(passes.begin(), passes.end(), built.pass_banks.begin());
  built.segments.clear();
  built.segments.resize(passes.size());
  l1_queue_->append(built, instruction.token);
}

}  // namespace heddle::sm
