#pragma once

// A multiprocessor's side of memory: what its warps' loads, stores and atomics go through before
// they leave it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/slot_table.h"
#include "memory/coalescer.h"
#include "memory/interconnect.h"
#include "memory/request.h"
#include "sm/memory/access_queue.h"
#include "sm/memory/l1_write_counters.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/loads_under_way.h"
#include "sm/memory/memory_counters.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/nonblocking_cache.h"
#include "sm/memory/request_sender.h"
#include "sm/memory/response_port.h"
#include "sm/memory/scratchpad.h"
#include "sm/memory/write_policy.h"
#include "trace/log.h"

namespace heddle::sm {

/// An instruction's accesses (segments of global memory, words of constants, lines of a texture)
/// are made one a cycle, in order on each path. An access that cannot be made holds up those after
/// it until a fill, or the port to the crossbar, lets it go on. An instruction that finds nothing
/// before it and all of its data in the cache needs no queue: its completion is returned at once.
///
/// What a store does to the L1 is a WritePolicy, one for global and one for local memory. It is
/// done when its access is made, even where the rest of its sector is still to come. An atomic is
/// done in memory: what stores have left in its line is written back, and the L1 forgets the line.
/// A load past the L1 has the same written back, and the line stays. What is dirty when a kernel
/// has ended is written back then.
///
/// What comes from memory is there at the start of a cycle; accesses are made in its course, in the
/// order global, constant, texture, and what they change shows at the start of the next.
class LoadStoreUnit {
 public:
  /// Throws InputError.
  LoadStoreUnit(const LoadStoreDescription& description,
                const memory::InterconnectDescription& interconnect,
                memory::PortParameters crossbar_port, const memory::AddressMap& partitions,
                std::uint16_t sm);

  /// Whether at the cycle last advanced to there is room for an instruction. It is up to date if
  /// next_news() is later than the present.
  bool accepts(MemoryPath path) const;
  /// The instruction, which must be accepted, comes at `at`: no sooner than the cycle last advanced
  /// to, nor than instructions before it on the same path. Returns its completion where that is
  /// known already; others, but for stores, are reported by advance().
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);

  /// When there is something to do next; never() if nothing is before a response comes.
  Cycle next_event() const;
  /// Before this cycle no completion is reported and no queue gets room. A user of those alone may
  /// let the unit wait so long, but must advance it before the outboxes are taken.
  Cycle next_news() const { return std::min(next_news_, scratchpad_room()); }
  /// Does everything up to the start of cycle `now`, and appends the completions that have become
  /// known, which may be later than `now`.
  void advance(Cycle now, std::vector<MemoryCompletion>& done);

  /// An answer, which arrives no sooner than the cycle last advanced to. A prefetch_answers() is
  /// expected before the next advance().
  void deliver(const memory::Response& response);
  /// Lets the host fetch what the answers that were delivered since the last call will need, and
  /// calls `each_completion(token)` for instructions that they may complete.
  template <class EachCompletion>
  [[gnu::always_inline]] void prefetch_answers(EachCompletion&& each_completion) {
    for (const std::uint32_t token : delivered_) {
      const Expected& expected = expected_[token];
      if (expected.path != kNoCache) paths_[expected.path].cache.prefetch(expected.line);
      if (expected.load != NonblockingCache::kNoLoad) {
        each_completion(loads_.token_of(expected.load));
      }
    }
    delivered_.clear();
  }
  /// What has been sent to a partition, in order, for it to take away.
  std::vector<memory::Request>& outbox(std::uint32_t partition) {
    return sender_.outbox(partition);
  }
  bool has_sent() const { return sender_.has_sent(); }

  /// When a kernel has ended and nothing is under way: what stores have left in the L1 leaves for
  /// memory, from `at` on, one line after another. Whether there was any.
  bool write_back_all(Cycle at);
  /// Between kernels, after that: the caches forget what they hold.
  void invalidate();
  const NonblockingCache& l1() const { return paths_[kGlobal].cache; }
  /// Nothing waits, all loads and atomics are complete, and nothing is to come that a store needs.
  /// Writes may still be leaving.
  bool idle() const;

  /// What it does is noted there; nothing where it is null.
  void trace(trace::Log* log) {
    log_ = log;
    sender_.trace(log);
  }
  void declare(CounterList& counters);

 private:
  using Kind = QueuedInstruction::Kind;
  using Stall = AccessQueue::Stall;

  /// Instructions, and the cache that they look into.
  struct CachedPath {
    AccessQueue queue;
    NonblockingCache cache;
    std::uint32_t touched_grain;  ///< Of which bits a segment's `sectors` are.
    void declare(CounterList& counters) {
      cache.declare(counters);
      queue.declare(counters);
    }
  };
  static constexpr std::size_t kGlobal = 0;
  static constexpr std::size_t kConstant = 1;
  static constexpr std::size_t kTexture = 2;
  static constexpr std::size_t kNoCache = 3;

  /// What is to be done when all answers that carry its number have come.
  struct Expected {
    std::uint32_t answers = 0;
    /// Whose part has come then; with a cache only a hint, the load that it was asked for. kNoLoad:
    /// it was a store.
    std::uint32_t load = 0;
    std::size_t path = kNoCache;
    std::uint64_t line = 0;  ///< Of the path's cache, which is filled.
    memory::SectorMask sectors = 0;
  };

  /// Why a line is written back, for traces.
  struct Reason {
    trace::Origin origin{};
    std::string_view cause;
  };

  std::optional<Cycle> add_shared(const MemoryInstruction& instruction, Cycle at);
  void build_global(const MemoryInstruction& instruction, QueuedInstruction& built);
  void build_atomic(const MemoryInstruction& instruction, QueuedInstruction& built);
  std::optional<Cycle> enqueue(std::size_t path, QueuedInstruction& built, std::uint32_t token);
  std::optional<Cycle> hit_throughout(CachedPath& path, const QueuedInstruction& built);

  void access(std::size_t path, Cycle at, std::vector<MemoryCompletion>& done);
  Stall access_cache(std::size_t path, const QueuedInstruction& instruction, Cycle at,
                     std::vector<MemoryCompletion>& done);
  [[gnu::always_inline]] void fetch(std::size_t path, std::uint64_t line,
                                    memory::SectorMask sectors,
                                    const QueuedInstruction& instruction, Cycle at) {
    const NonblockingCache& cache = paths_[path].cache;
    const std::uint32_t token =
        expected_.add({.load = instruction.load, .path = path, .line = line, .sectors = sectors});
    expected_[token].answers = sender_.read(
        {.address = cache.address_of(line), .mask = sectors, .grain = cache.sector_bytes()}, token,
        at, instruction.origin);
  }
  void send_uncached(const QueuedInstruction& instruction, Cycle at);
  // load_store_writes.cpp
  Stall access_store(const QueuedInstruction& instruction, Cycle at);
  Stall keep_store(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void send_store(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void send_atomic(const QueuedInstruction& instruction, Cycle at);
  void clean_line(const QueuedInstruction& instruction, std::string_view cause, Cycle at);
  void write_back(const NonblockingCache::Eviction& written, const Reason& reason, Cycle at);
  void receive(const ResponsePort::Passed& passed, std::vector<MemoryCompletion>& done);
  static Stall stall_of(NonblockingCache::Outcome outcome);
  /// At whose start an access of cycle `at` has been made.
  static Cycle done_by(Cycle at) { return at == Cycle::never() ? at : at + Cycles(1); }
  // load_store_trace.cpp
  void note_taken(const MemoryInstruction& instruction, std::size_t accesses, Cycle at);
  trace::Event event_of(std::size_t path, const memory::Segment& segment, trace::Origin origin,
                        Cycle at) const;
  void note_look_up(std::size_t path, const QueuedInstruction& instruction,
                    const NonblockingCache::Access& result, Cycle at);
  void note_hits(std::size_t path, const QueuedInstruction& built, std::uint32_t token,
                 Cycle known);
  void note_access(std::size_t path, const QueuedInstruction& instruction, Stall stall, Cycle at);
  void note_kept(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void note_written_back(const NonblockingCache::Eviction& written, const Reason& reason, Cycle at);
  void note_answer(const ResponsePort::Passed& passed, const Expected& expected);
  void note_complete(std::uint32_t token, Cycle at);

  void note_next();
  void note_next(const AccessQueue& queue);
  Cycle scratchpad_room() const {
    return scratchpad_.accepts(now_) ? Cycle::never() : scratchpad_.room_from();
  }

  Cycles address_cycles_;
  bool l1_present_;
  WritePolicy global_writes_;
  WritePolicy local_writes_;
  bool l1_writes_back_;  ///< Either of them.
  bool shared_pipe_;
  std::uint32_t sector_bytes_;    ///< Of the coalescer.
  std::uint32_t texture_cycles_;  ///< For a warp's texels.
  memory::Coalescer coalescer_;
  memory::Coalescer atomic_coalescer_;  ///< An atomic must go in one request.
  std::array<CachedPath, 3> paths_;
  Scratchpad scratchpad_;
  RequestSender sender_;
  ResponsePort responses_;
  LoadsUnderWay loads_;
  SlotTable<Expected> expected_;
  std::vector<std::uint32_t> delivered_;  ///< Tokens, until prefetch_answers().
  MemoryCounters counters_;
  L1WriteCounters l1_writes_;
  Cycle now_;  ///< Everything up to its start is done.
  // But for room in the scratchpad's queue.
  Cycle next_event_ = Cycle::never();
  Cycle next_news_ = Cycle::never();

  trace::Log* log_ = nullptr;
  std::vector<trace::Origin> origins_;  ///< By token of the completion; filled for a trace only.
};

}  // namespace heddle::sm
