#include "sm/memory/load_store_unit.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace heddle::sm {
namespace {

/// The cycle at whose start the effects of an access in cycle `at` become visible.
Cycle cycle_after(Cycle at) { return at == Cycle::never() ? at : at + Cycles(1); }

/// Returns the description. Throws InputError if it is not possible.
const LoadStoreDescription& checked(const LoadStoreDescription& description,
                                    const memory::AddressMap& partitions) {
  description.check(partitions.parameters().interleave_bytes);
  return description;
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const LoadStoreDescription& description,
                             const memory::InterconnectDescription& interconnect,
                             memory::PortParameters crossbar_port,
                             const memory::AddressMap& partitions, std::uint16_t sm,
                             std::unique_ptr<BankArbiter> banks)
    : shared_{.crossbar = CrossbarInterface(
                  {.request_bytes = checked(description, partitions).lsu.request_bytes,
                   .send_backlog = description.lsu.send_backlog,
                   .sm = sm},
                  interconnect, crossbar_port, partitions)},
      banks_(std::move(banks)),
      global_(description, shared_, banks_.get()),
      constant_(description.constant, shared_),
      texture_(description.texture, shared_),
      scratchpad_(description.scratchpad, description.lsu.shared_pipe ? &global_ : nullptr,
                  banks_.get(), shared_) {}

std::optional<Cycle> LoadStoreUnit::add(const MemoryInstruction& instruction, Cycle at) {
  assert(at >= now_ && !instruction.lanes.empty());
  std::optional<Cycle> known;
  const CachePath* queue = &global_;
  switch (instruction.path) {
    case MemoryPath::global:
      known = global_.add(instruction, at);
      break;
    case MemoryPath::shared:
      known = scratchpad_.add(instruction, at);
      break;
    case MemoryPath::constant:
      known = constant_.add(instruction, at);
      queue = &constant_;
      break;
    case MemoryPath::texture:
      known = texture_.add(instruction, at);
      queue = &texture_;
      break;
  }
  if (!known) include_next_events(*queue);
  include_next_prefetch();
  return known;
}

void LoadStoreUnit::advance(Cycle now, std::vector<MemoryCompletion>& done) {
  assert(now >= now_);
  now_ = now;
  if (next_path_event_ > now) return;
  shared_.crossbar.take_in(now);
  const std::size_t reported = done.size();
  for (;;) {
    const Cycle at =
        std::min({shared_.crossbar.next_received(), global_.next_access(), constant_.next_access(),
                  texture_.next_access(), global_.next_prefetch()});
    if (at > now) break;
    while (shared_.crossbar.next_received() == at) receive(done);
    // Accesses of cycle `now` are made by the next advance(): instructions that are added later in
    // this cycle may still make some of them.
    if (at == now) break;
    if (global_.next_access() == at) global_.access(at, done);
    if (constant_.next_access() == at) constant_.access_load(at, done);
    if (texture_.next_access() == at) texture_.access_load(at, done);
    if (global_.next_prefetch() == at) global_.attempt_prefetch(at);
  }
  if (shared_.trace.log() != nullptr) {
    for (std::size_t i = reported; i < done.size(); ++i) {
      shared_.trace.note_complete(done[i].token, done[i].at);
    }
  }
  update_next_events();
}

void LoadStoreUnit::receive(std::vector<MemoryCompletion>& done) {
  shared_.crossbar.receive([&](const CrossbarInterface::Outstanding& outstanding, Cycle at) {
    if (outstanding.filled == nullptr) {
      shared_.loads.complete_part(outstanding.load, at, done);
    } else {
      outstanding.filled->fill(outstanding.line, outstanding.sectors, at, done);
      if (outstanding.filled == &global_) global_.retry_prefetch(at);
    }
  });
}

void LoadStoreUnit::update_next_events() {
  next_path_event_ = shared_.crossbar.next_response();
  next_visible_path_event_ = next_path_event_;
  include_next_events(global_);
  include_next_events(constant_);
  include_next_events(texture_);
  include_next_prefetch();
}

void LoadStoreUnit::include_next_events(const CachePath& path) {
  next_path_event_ = std::min(next_path_event_, cycle_after(path.next_access()));
  next_visible_path_event_ =
      std::min(next_visible_path_event_, cycle_after(path.earliest_last_access()));
}

/// A prefetch is visible, although it completes nothing: it may evict a line that an instruction
/// would hit, if that were added before the prefetch is simulated.
void LoadStoreUnit::include_next_prefetch() {
  const Cycle next = cycle_after(global_.next_prefetch());
  next_path_event_ = std::min(next_path_event_, next);
  next_visible_path_event_ = std::min(next_visible_path_event_, next);
}

void LoadStoreUnit::deliver(const memory::Response& response) {
  assert(response.arrival >= now_);
  shared_.crossbar.deliver(response);
  const Cycle next = shared_.crossbar.next_response();
  next_path_event_ = std::min(next_path_event_, next);
  next_visible_path_event_ = std::min(next_visible_path_event_, next);
}

void LoadStoreUnit::invalidate() {
  global_.invalidate();
  constant_.cache().invalidate_all();
  texture_.cache().invalidate_all();
}

bool LoadStoreUnit::idle() const {
  return shared_.loads.empty() && shared_.crossbar.idle() && global_.idle() && constant_.empty() &&
         texture_.empty();
}

void LoadStoreUnit::declare(CounterList& counters) {
  counters.part("lsu", shared_.counters);
  counters.part("l1", global_);
  counters.part("scratchpad", scratchpad_);
  counters.part("constant", constant_);
  counters.part("texture", texture_);
  if (banks_ != nullptr) counters.part("banks", *banks_);
  shared_.crossbar.declare(counters);
}

}  // namespace heddle::sm
