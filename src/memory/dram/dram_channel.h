#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/cycle.h"
#include "config/answer_registry.h"
#include "memory/dram/dram_description.h"
#include "memory/dram/dram_trace.h"

namespace heddle::memory {

/// What a channel of memory is asked for. The bytes must lie within one row of a bank.
struct DramRequest {
  std::uint64_t address = 0;
  bool is_write = false;
  std::uint32_t bytes = 0;  ///< At least one.
  std::uint32_t token = 0;  ///< The caller's: it comes back with the answer.
};

/// The data of a request have been read or written; `at` is the first cycle after that.
struct DramCompletion {
  std::uint32_t token = 0;
  Cycle at;
};

class CompletionQueue;

/// Requests are counted when their data's transfer is decided. What a channel does not model (rows,
/// where latency is fixed) stays zero.
struct DramCounters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t row_hits = 0;          ///< Found their row open.
  std::uint64_t row_misses = 0;        ///< Found their bank closed.
  std::uint64_t row_conflicts = 0;     ///< Another row had to be closed first.
  std::uint64_t activations = 0;       ///< Reads and writes by this: accesses per activation.
  std::uint64_t data_bytes = 0;        ///< Passed over the data bus, in whole transactions.
  std::uint64_t busy_data_cycles = 0;  ///< Of the data bus, rounded up.
};

/// One channel of memory: how, and when, memory answers. Cycles are those of its own clock.
///
/// The times given to add() and accepts() do not decrease, and are not before one that advance()
/// was given; they take the channel to that time. advance() may come later than they, and how often
/// it comes changes no answer.
class DramChannel {
 public:
  DramChannel() = default;
  DramChannel(const DramChannel&) = delete;
  DramChannel& operator=(const DramChannel&) = delete;
  virtual ~DramChannel() = default;

  /// False where the queue is full at the start of `now`.
  virtual bool accepts(Cycle now) = 0;
  /// Hands over a request, which the channel must accept at that time.
  virtual void add(const DramRequest& request, Cycle arrival) = 0;
  /// Does what is to be done in the cycles before `until`, and appends to `completions`, in order
  /// of time, the requests that are done when `until` starts and have not been reported before.
  virtual void advance(Cycle until, std::vector<DramCompletion>& completions) = 0;
  /// The first cycle for which advance() would find something to do or to report if no request
  /// came; none where the channel is idle. Until then, accepts() does not change either.
  virtual std::optional<Cycle> next_event() const = 0;
  /// Those that are decided and have not been reported.
  virtual const CompletionQueue& completions() const = 0;
  virtual DramCounters counters() const = 0;

  void trace(const DramTrace& trace) { trace_ = trace; }

 protected:
  DramTrace trace_;
};

struct DramSeam {
  using Answer = DramChannel;
  using Description = DramDescription;
  using Place = DramDescription;
  using Context = PartitionDescription;
  using Properties = DramProperties;
};
using DramRegistry = config::AnswerRegistry<DramSeam>;

/// The answer that the description names: a channel that takes addresses of its own, those of one
/// channel, without holes. Throws InputError.
std::unique_ptr<DramChannel> make_channel(const DramDescription& description);

}  // namespace heddle::memory
