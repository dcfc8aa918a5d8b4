#include "sm/memory/instruction_trace.h"

#include <array>
#include <string_view>

namespace heddle::sm {
namespace {

/// An instruction enters the unit. By MemoryAction; the event's cause is the instruction's path.
const std::array<trace::Kind, 3> kReceived{
    {{"lsu_load",
      "a load enters the load-store unit; cause: the memory that it accesses",
      {{"lanes"}, {"accesses"}}},
     {"lsu_store",
      "a store enters the load-store unit; cause: the memory that it accesses",
      {{"lanes"}, {"accesses"}}},
     {"lsu_atomic",
      "an atomic enters the load-store unit; cause: the memory that it accesses",
      {{"lanes"}, {"accesses"}}}}};

const trace::Kind kComplete{"lsu_complete", "a load's data can be used, or an atomic is done"};

std::string_view memory_of(const MemoryInstruction& instruction) {
  switch (instruction.path) {
    case MemoryPath::global:
      return instruction.local ? "local" : "global";
    case MemoryPath::shared:
      return "shared";
    case MemoryPath::constant:
      return "constant";
    case MemoryPath::texture:
      return "texture";
  }
  return {};
}

}  // namespace

void InstructionTrace::note_received(const MemoryInstruction& instruction, std::size_t accesses,
                                     Cycle at) {
  log_->note({.at = at,
              .kind = &kReceived[static_cast<std::size_t>(instruction.action)],
              .origin = instruction.origin,
              .cause = memory_of(instruction),
              .values = {static_cast<std::uint64_t>(instruction.lanes.count()), accesses}});
  if (instruction.action == MemoryAction::store) return;
  if (origins_.size() <= instruction.token) origins_.resize(instruction.token + std::size_t{1});
  origins_[instruction.token] = instruction.origin;
}

void InstructionTrace::note_complete(std::uint32_t token, Cycle at) {
  log_->note({.at = at, .kind = &kComplete, .origin = origins_[token]});
}

}  // namespace heddle::sm
