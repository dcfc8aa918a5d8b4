#pragma once

#include <cstdint>

#include "base/clock_ratio.h"
#include "base/cycle.h"
#include "trace/log.h"

namespace heddle::memory {

/// Notes the trace events of a DRAM channel. Its functions take DRAM cycles; the trace shows the
/// corresponding core cycles and, beside them, the DRAM cycles.
class DramTrace {
 public:
  DramTrace() = default;
  DramTrace(trace::Log* log, ClockRatio core_to_dram) : log_(log), clocks_(core_to_dram) {}

  explicit operator bool() const { return log_ != nullptr; }
  void activate(Cycle at, std::uint32_t bank, std::uint64_t row) const;
  void precharge(Cycle at, std::uint32_t bank) const;
  /// Notes a column command; the request is complete at `done`.
  void transfer(Cycle at, bool is_write, std::uint32_t bank, std::uint64_t row, std::uint32_t bytes,
                Cycle done) const;
  /// Notes a request to a channel without banks, at its arrival.
  void transfer(Cycle arrival, bool is_write, std::uint32_t bytes, Cycle done) const;

 private:
  trace::Log* log_ = nullptr;
  ClockRatio clocks_;
};

}  // namespace heddle::memory
