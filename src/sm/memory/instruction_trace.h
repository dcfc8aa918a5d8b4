#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "sm/memory/memory_instruction.h"
#include "trace/log.h"

namespace heddle::sm {

/// The trace of a load-store unit: its log, and the events of whole instructions. The events of
/// accesses are recorded by the paths.
class InstructionTrace {
 public:
  /// From now on events are written to `log`; none are written if it is null.
  void set_log(trace::Log* log) { log_ = log; }
  /// Null if tracing is off. The functions below must then not be called.
  trace::Log* log() const { return log_; }

  /// An instruction enters the unit at `at`; it is divided into `accesses` accesses or passes.
  void note_received(const MemoryInstruction& instruction, std::size_t accesses, Cycle at);
  /// The data of the instruction with this token can be used at `at`.
  void note_complete(std::uint32_t token, Cycle at);

 private:
  trace::Log* log_ = nullptr;
  std::vector<trace::Origin> origins_;  ///< By token.
};

}  // namespace heddle::sm
