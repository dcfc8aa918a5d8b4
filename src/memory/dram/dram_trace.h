#pragma once

#include <cstdint>

#include "base/clock_ratio.h"
#include "base/cycle.h"
#include "trace/log.h"

namespace heddle::memory {

/// What a channel of memory notes for a trace. Its cycles are the channel's: the trace has the core
/// cycles that they fall into, and theirs beside them.
class DramTrace {
 public:
  DramTrace() = default;
  DramTrace(trace::Log* log, ClockRatio core_to_dram) : log_(log), clocks_(core_to_dram) {}

  explicit operator bool() const { return log_ != nullptr; }
  void activate(Cycle at, std::uint32_t bank, std::uint64_t row) const;
  void precharge(Cycle at, std::uint32_t bank) const;
  /// A column command, whose data have passed and been handed on at `done`.
  void transfer(Cycle at, bool is_write, std::uint32_t bank, std::uint64_t row, std::uint32_t bytes,
                Cycle done) const;
  /// The same where memory has no banks: it is at its arrival.
  void transfer(Cycle arrival, bool is_write, std::uint32_t bytes, Cycle done) const;

 private:
  trace::Log* log_ = nullptr;
  ClockRatio clocks_;
};

}  // namespace heddle::memory
