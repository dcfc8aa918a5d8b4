#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "memory/interconnect.h"
#include "memory/request.h"
#include "sm/memory/constant_path.h"
#include "sm/memory/global_path.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/scratchpad_path.h"
#include "sm/memory/shared_parts.h"
#include "sm/memory/texture_path.h"
#include "trace/log.h"

namespace heddle::sm {

/// The load-store unit of a multiprocessor. It passes each memory instruction to its path, and each
/// response from memory to the path that waits for it:
///
/// - GlobalPath: global and local memory, through the L1, with GlobalStores and GlobalAtomics;
/// - ConstantPath and TexturePath, through caches of their own;
/// - ScratchpadPath: shared memory, and local memory in the scratchpad.
///
/// Responses from memory take effect at the start of a cycle. Accesses are made during a cycle, in
/// the order global, constant, texture, prefetch. Their effects are visible at the start of the
/// next cycle.
class LoadStoreUnit {
 public:
  /// Throws InputError if the description is not possible. `banks`: those that scratchpad and L1
  /// share with registers; null if they have banks of their own.
  LoadStoreUnit(const LoadStoreDescription& description,
                const memory::InterconnectDescription& interconnect,
                memory::PortParameters crossbar_port, const memory::AddressMap& partitions,
                std::uint16_t sm, std::unique_ptr<BankArbiter> banks = nullptr);
  LoadStoreUnit(const LoadStoreUnit&) = delete;
  LoadStoreUnit& operator=(const LoadStoreUnit&) = delete;

  /// Whether the path has space for an instruction in the cycle of the last advance(). The result
  /// remains valid before next_visible_event(), unless an instruction is added.
  bool accepts(MemoryPath path) const {
    switch (path) {
      case MemoryPath::shared:
        return scratchpad_.accepts(now_);
      case MemoryPath::constant:
        return !constant_.is_full();
      case MemoryPath::texture:
        return !texture_.is_full();
      case MemoryPath::global:
        break;
    }
    return !global_.is_full();
  }
  /// Adds an instruction at cycle `at`. accepts() must be true for its path. `at` must not be
  /// earlier than the last advance(), nor than the previous instruction on the path. Returns the
  /// cycle of the completion if that is already known. If nothing is returned, advance() reports
  /// the completion; completions of stores are never reported.
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);

  /// The next cycle in which the unit has work to do; never() if it has none until a response
  /// arrives.
  Cycle next_event() const { return std::min(next_path_event_, scratchpad_.gets_space_at(now_)); }
  /// The earliest cycle in which advance() may report a completion, a queue may get space, or a
  /// prefetch takes effect. A caller that needs nothing else need not call advance() before that
  /// cycle, except to take requests from the outboxes.
  Cycle next_visible_event() const {
    return std::min(next_visible_path_event_, scratchpad_.gets_space_at(now_));
  }
  /// Simulates up to the start of cycle `now`. Appends to `done` the completions that have become
  /// known; they may lie after `now`.
  void advance(Cycle now, std::vector<MemoryCompletion>& done);

  /// Delivers a response, which must not arrive before the cycle of the last advance(). The caller
  /// should then call prefetch_responses() before the next advance().
  void deliver(const memory::Response& response);
  /// Prefetches, into the host's caches, the simulator's data for the responses delivered since the
  /// last call. Calls each_completion(token) for each instruction that they may complete.
  template <class EachCompletion>
  [[gnu::always_inline]] void prefetch_responses(EachCompletion&& each_completion) {
    shared_.crossbar.for_each_delivered([&](const CrossbarInterface::Outstanding& outstanding) {
      if (outstanding.filled != nullptr) outstanding.filled->cache().prefetch(outstanding.line);
      if (outstanding.load != L1Cache::kNoLoad) {
        each_completion(shared_.loads.token_of(outstanding.load));
      }
    });
  }
  /// The requests sent to a partition, in order. The caller removes those that it takes.
  std::vector<memory::Request>& outbox(std::uint32_t partition) {
    return shared_.crossbar.outbox(partition);
  }
  /// Whether any outbox contains a request.
  bool has_sent() const { return shared_.crossbar.has_sent(); }

  /// Called when a kernel has ended and nothing is in flight. Writes all dirty lines of the L1
  /// back, one after another from cycle `at` on. Returns whether any line was dirty.
  bool write_back_all(Cycle at) { return global_.write_back_all(at); }
  /// As L1Cache::resize().
  void resize_l1(std::uint64_t bytes) { global_.cache().resize(bytes); }
  /// Called between kernels, after write_back_all(). Invalidates all caches.
  void invalidate();
  const L1Cache& l1() const { return global_.cache(); }
  const MemoryCounters& counters() const { return shared_.counters; }
  /// Whether no instruction and no prefetch waits, all loads and atomics have completed, and no
  /// fetch for a store or a prefetch is in flight. Writes may still be passing the port to the
  /// crossbar.
  bool idle() const;

  /// From now on events are written to `log`; none are written if it is null.
  void trace(trace::Log* log) {
    shared_.trace.set_log(log);
    shared_.crossbar.trace(log);
  }
  void declare(CounterList& counters);

 private:
  void receive(std::vector<MemoryCompletion>& done);
  void update_next_events();
  void include_next_events(const CachePath& path);
  void include_next_prefetch();

  SharedParts shared_;
  std::unique_ptr<BankArbiter> banks_;
  GlobalPath global_;
  ConstantPath constant_;
  TexturePath texture_;
  ScratchpadPath scratchpad_;
  Cycle now_;  ///< The unit has been simulated up to the start of this cycle.
  // The next event of the paths with caches and of the response port, and the next that the caller
  // may see. Space in the scratchpad's own queue is not included.
  Cycle next_path_event_ = Cycle::never();
  Cycle next_visible_path_event_ = Cycle::never();
};

}  // namespace heddle::sm
