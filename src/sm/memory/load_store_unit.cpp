#include "sm/memory/load_store_unit.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {
namespace {

/// Returns the description. Throws InputError if it is not possible.
const LoadStoreDescription& checked(const LoadStoreDescription& description,
                                    const memory::AddressMap& partitions) {
  description.check(partitions.parameters().interleave_bytes);
  return description;
}

/// The coalescer's parameters for atomics: each segment fits into one request.
memory::CoalescerParameters for_atomics(const LoadStoreDescription& description) {
  memory::CoalescerParameters shape = description.coalescer.shape;
  shape.segment_bytes = std::min(shape.segment_bytes, description.lsu.request_bytes);
  return shape;
}

WritePolicy policy_of(const L1Description& l1, std::string_view name) {
  return l1.present ? write_policy_of(name) : WritePolicy::through;
}

}  // namespace

LoadStoreUnit::Stall LoadStoreUnit::stall_of(L1Cache::Outcome outcome) {
  using Outcome = L1Cache::Outcome;
  switch (outcome) {
    case Outcome::mshrs_full:
      return Stall::mshrs_full;
    case Outcome::merges_full:
      return Stall::merges_full;
    case Outcome::whole_set_pending:
      return Stall::whole_set_pending;
    case Outcome::send_full:
      return Stall::send_full;
    case Outcome::hit:
    case Outcome::waits:
      break;
  }
  return Stall::none;
}

LoadStoreUnit::LoadStoreUnit(const LoadStoreDescription& description,
                             const memory::InterconnectDescription& interconnect,
                             memory::PortParameters crossbar_port,
                             const memory::AddressMap& partitions, std::uint16_t sm)
    : address_cycles_(checked(description, partitions).lsu.address_cycles),
      l1_present_(description.l1.present),
      global_writes_(policy_of(description.l1, description.l1.global_writes)),
      local_writes_(policy_of(description.l1, description.l1.local_writes)),
      l1_writes_back_(writes_back(global_writes_) || writes_back(local_writes_)),
      scratchpad_uses_l1_queue_(description.lsu.shared_pipe),
      sector_bytes_(description.coalescer.shape.sector_bytes),
      texture_cycles_((kWarpSize + description.texture.lanes - 1) / description.texture.lanes),
      coalescer_(description.coalescer.shape),
      atomic_coalescer_(for_atomics(description)),
      paths_{CachedPath{.queue = AccessQueue(description.lsu.queue),
                        .cache = L1Cache(description.l1.cache, "l1"),
                        .bytes_per_sector_bit = sector_bytes_},
             CachedPath{.queue = AccessQueue(description.constant.queue),
                        .cache = L1Cache(description.constant.cache, "constant"),
                        .bytes_per_sector_bit = description.constant.cache.line_bytes},
             CachedPath{.queue = AccessQueue(description.texture.queue),
                        .cache = L1Cache(description.texture.cache, "texture"),
                        .bytes_per_sector_bit = description.texture.cache.line_bytes}},
      scratchpad_(description.scratchpad),
      sender_({.request_bytes = description.lsu.request_bytes,
               .send_backlog = description.lsu.send_backlog,
               .sm = sm},
              interconnect, crossbar_port, partitions),
      responses_(crossbar_port) {}

void LoadStoreUnit::access(std::size_t path, Cycle at, std::vector<MemoryCompletion>& done) {
  AccessQueue& queue = paths_[path].queue;
  const QueuedInstruction& instruction = queue.first();
  queue.begin_attempt(at);
  Stall stall = Stall::none;
  if (instruction.kind == Kind::load) {
    stall = access_cache(path, instruction, at, done);
  } else if (instruction.kind == Kind::store) {
    stall = access_store(instruction, at);
  } else {
    const bool sends = instruction.kind != Kind::scratchpad;
    if (sends && !sender_.can_send(at)) stall = Stall::send_full;
    if (log_ != nullptr) note_access(path, instruction, stall, at);
  }
  if (stall != Stall::none) {
    return queue.stall(stall, at,
                       stall == Stall::send_full ? sender_.can_send_from() : Cycle::never());
  }
  switch (instruction.kind) {
    case Kind::load:
    case Kind::store:
      break;
    case Kind::uncached_load:
      send_uncached(instruction, at);
      break;
    case Kind::atomic:
      send_atomic(instruction, at);
      break;
    case Kind::scratchpad:
      if (instruction.reports_completion) {
        // The access occupies the cache behind the queue for one cycle per pass.
        loads_.complete_part(instruction.load, scratchpad_.usable_from(at, instruction.min_cycles),
                             done);
      }
      break;
  }
  queue.advance(at);
}

LoadStoreUnit::Stall LoadStoreUnit::access_cache(std::size_t path,
                                                 const QueuedInstruction& instruction, Cycle at,
                                                 std::vector<MemoryCompletion>& done) {
  L1Cache& cache = paths_[path].cache;
  const memory::Segment& segment = instruction.segments[instruction.next];
  const std::uint64_t line = cache.line_of(segment.address);
  const memory::SectorMask sectors =
      cache.sectors_of(segment.address, segment.sectors, paths_[path].bytes_per_sector_bit);
  const L1Cache::Access result =
      cache.access(line, sectors, instruction.load, sender_.can_send(at));
  if (log_ != nullptr) note_look_up(path, instruction, result, at);
  if (result.outcome == L1Cache::Outcome::hit) {
    loads_.complete_part(instruction.load, at + cache.latency(), done);
  } else if (result.to_fetch != 0) {
    fetch(path, line, result.to_fetch, instruction, at);
    if (result.evicted.dirty != 0) {
      write_back(result.evicted, {.origin = instruction.origin, .cause = "evicted"}, at);
    }
  }
  return stall_of(result.outcome);
}

void LoadStoreUnit::send_uncached(const QueuedInstruction& instruction, Cycle at) {
  clean_line(instruction, "uncached_load", at);
  const memory::Segment& segment = instruction.segments[instruction.next];
  const std::uint32_t token = pending_responses_.add({.load = instruction.load});
  pending_responses_[token].responses =
      sender_.read({.address = segment.address, .mask = segment.sectors, .grain = sector_bytes_},
                   token, at, instruction.origin);
}

void LoadStoreUnit::receive(const ResponsePort::ReceivedResponse& response,
                            std::vector<MemoryCompletion>& done) {
  PendingResponse& expected = pending_responses_[response.token];
  if (log_ != nullptr) note_response(response, expected);
  if (--expected.responses > 0) return;
  if (expected.path == kNoCache) {
    loads_.complete_part(expected.load, response.at, done);
  } else {
    CachedPath& path = paths_[expected.path];
    path.cache.fill(expected.line, expected.sectors,
                    [&](std::uint32_t load) { loads_.complete_part(load, response.at, done); });
    path.queue.retry(response.at);
  }
  pending_responses_.remove(response.token);
}

void LoadStoreUnit::advance(Cycle now, std::vector<MemoryCompletion>& done) {
  assert(now >= now_);
  now_ = now;
  if (next_path_event_ > now) return;
  responses_.take_in(now);
  const std::size_t reported = done.size();
  for (;;) {
    Cycle at = responses_.next_received();
    for (const CachedPath& path : paths_) at = std::min(at, path.queue.next());
    if (at > now) break;
    while (responses_.next_received() == at) receive(responses_.take(), done);
    // Accesses of cycle `now` are made by the next advance(): instructions that are added later in
    // this cycle may still make some of them.
    if (at == now) break;
    for (std::size_t path = 0; path < paths_.size(); ++path) {
      if (paths_[path].queue.next() == at) access(path, at, done);
    }
  }
  if (log_ != nullptr) {
    for (std::size_t i = reported; i < done.size(); ++i) note_complete(done[i].token, done[i].at);
  }
  update_next_events();
}

void LoadStoreUnit::update_next_events() {
  next_path_event_ = responses_.next();
  next_visible_path_event_ = next_path_event_;
  for (const CachedPath& path : paths_) update_next_events(path.queue);
}

void LoadStoreUnit::update_next_events(const AccessQueue& queue) {
  next_path_event_ = std::min(next_path_event_, cycle_after(queue.next()));
  next_visible_path_event_ =
      std::min(next_visible_path_event_, cycle_after(queue.earliest_last_access()));
}

Cycle LoadStoreUnit::next_event() const {
  return std::min(next_path_event_, scratchpad_space_at());
}

void LoadStoreUnit::deliver(const memory::Response& response) {
  assert(response.arrival >= now_);
  responses_.deliver(response);
  next_path_event_ = std::min(next_path_event_, responses_.next());
  next_visible_path_event_ = std::min(next_visible_path_event_, responses_.next());
  delivered_.push_back(response.token);
  __builtin_prefetch(&pending_responses_[response.token]);
}

void LoadStoreUnit::invalidate() {
  for (CachedPath& path : paths_) path.cache.invalidate_all();
}

bool LoadStoreUnit::idle() const {
  return loads_.empty() && pending_responses_.empty() &&
         std::all_of(paths_.begin(), paths_.end(),
                     [](const CachedPath& path) { return path.queue.empty(); });
}

void LoadStoreUnit::declare(CounterList& counters) {
  counters.part("lsu", counters_);
  counters.part("l1", paths_[kGlobal]);
  counters.part("l1", l1_writes_);
  counters.part("scratchpad", scratchpad_);
  counters.part("constant", paths_[kConstant]);
  counters.part("texture", paths_[kTexture]);
  counters.part("crossbar_out", sender_);
  counters.part("crossbar_in", responses_);
}

}  // namespace heddle::sm
