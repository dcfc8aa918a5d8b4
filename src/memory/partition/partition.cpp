#include "memory/partition/partition.h"

#include <algorithm>
#include <cassert>

#include "memory/partition/l2_slice.h"
#include "memory/partition/no_l2.h"

namespace heddle::memory {
namespace {

const PartitionDescription& checked(const PartitionDescription& description) {
  description.check();
  return description;
}

std::unique_ptr<MemorySide> make_memory_side(const L2Description& description, MemoryQueue& memory,
                                             L2Counters& counters, const PartitionTrace& trace) {
  if (!description.present) return std::make_unique<NoL2>(memory, trace);
  return std::make_unique<L2Slice>(description, memory, counters, trace);
}

/// Books a message on a port. Returns the first cycle after its last byte. A message of 0 bytes
/// takes no time; a read request is one if headers have no bytes.
Cycle book_message(Port& port, Cycle from, std::uint32_t bytes) {
  return bytes == 0 ? from : port.book(from, bytes);
}

}  // namespace

Partition::Partition(const PartitionDescription& description,
                     const InterconnectDescription& interconnect, PortParameters crossbar_port,
                     ClockRatio core_to_dram, std::uint32_t index, std::uint32_t sm_count)
    : index_(index),
      header_bytes_(interconnect.header_bytes),
      crossbar_latency_(interconnect.latency),
      l2_latency_(checked(description).l2.present ? description.l2.latency : 0),
      atomic_interval_(description.atomic.interval),
      map_(address_map(description)),
      local_(map_.parameters()),
      trace_(local_, index),
      arriving_(sm_count),
      ingress_(crossbar_port),
      access_slot_(Cycles(description.l2.present ? description.l2.interval : 1)),
      memory_(make_channel(description.dram), core_to_dram, description.memory.queue),
      memory_side_(make_memory_side(description.l2, memory_, l2_counters_, trace_)),
      atomic_unit_(atomic_interval_),
      egress_(crossbar_port),
      outboxes_(sm_count) {}

void Partition::receive(std::vector<Request>& from_one_sm) {
  for (Request& request : from_one_sm) {
    assert(map_.channel_of(request.address) == index_);
    if (trace_) trace_.arrived(request);
    request.address = local_.to_local(request.address);
    memory_side_->prefetch_access(request);
  }
  arriving_.add(from_one_sm);
  from_one_sm.clear();
}

void Partition::advance(Cycle until) {
  memory_.for_each_read_done_before(
      until, [this](std::uint32_t token) { memory_side_->prefetch_read_done(token); });
  while (true) {
    take_next(until);
    const Cycle memory_at = memory_.next_event();
    const Cycle attempt_at = next_attempt();
    if (std::min(memory_at, attempt_at) >= until) break;
    if (memory_at <= attempt_at) {
      step_memory(memory_at);
    } else {
      access(attempt_at);
    }
  }
  send_responses(until);
  dram_counters_.copy = memory_.counters();
}

// All requests that arrive before `until` are known, so the order on the port is final.
void Partition::take_next(Cycle until) {
  if (has_next_ || arriving_.next_arrival() >= until) return;
  next_request_ = arriving_.front();
  arriving_.pop();
  const std::uint32_t bytes = header_bytes_ + next_request_.carried_bytes;
  ++crossbar_counters_.requests;
  crossbar_counters_.bytes_in += bytes;
  first_attempt_ =
      std::max(book_message(ingress_, next_request_.arrival, bytes), access_slot_.free_from());
  next_attempt_ = first_attempt_;
  has_next_ = true;
  is_blocked_ = false;
}

void Partition::access(Cycle now) {
  const MemorySide::Outcome outcome = memory_side_->access(next_request_, now);
  if (outcome == MemorySide::Outcome::refused) {
    is_blocked_ = true;
    return;
  }
  crossbar_counters_.blocked_cycles += (now - first_attempt_).count;
  access_slot_.book(now);
  has_next_ = false;
  if (outcome == MemorySide::Outcome::waits) return;
  if (next_request_.kind == RequestKind::read) {
    respond(next_request_, ResponseSource::hit, now + l2_latency_);
  }
  if (next_request_.kind == RequestKind::atomic) perform(next_request_, now);
}

void Partition::step_memory(Cycle now) {
  if (!memory_.step()) return;
  if (is_blocked_) {
    is_blocked_ = false;
    next_attempt_ = now;
  }
  served_.clear();
  for (const std::uint32_t token : memory_.reads_done()) {
    memory_side_->on_read_done(token, now, served_);
  }
  for (const Request& request : served_) {
    if (request.kind == RequestKind::atomic) {
      perform(request, now);
    } else {
      respond(request, ResponseSource::fetch, now);
    }
  }
}

void Partition::perform(const Request& request, Cycle now) {
  request.work->perform(request.lanes);
  const Cycles taken = atomic_interval_ * request.passes;
  const Cycle start = atomic_unit_.book(now, request.passes);
  if (trace_) trace_.performed(start, request);
  ++atomic_counters_.performed;
  atomic_counters_.lane_operations += static_cast<std::uint64_t>(request.lanes.count());
  atomic_counters_.unit_cycles += taken.count;
  respond(request, ResponseSource::atomic, start + taken + l2_latency_);
}

void Partition::respond(const Request& request, ResponseSource source, Cycle ready) {
  responses_.push(source, {.ready = ready,
                           .token = request.token,
                           .bytes = header_bytes_ + request.response_bytes,
                           .sm = request.sm});
}

// Responses that become known later are ready no earlier than `until`.
void Partition::send_responses(Cycle until) {
  while (responses_.next_ready() < until) {
    const PendingResponse pending = responses_.pop();
    ++crossbar_counters_.responses;
    crossbar_counters_.bytes_out += pending.bytes;
    const Cycle sent = book_message(egress_, pending.ready, pending.bytes);
    const Response response{
        .token = pending.token, .bytes = pending.bytes, .arrival = sent + crossbar_latency_};
    if (trace_) trace_.responded(sent, response, pending.sm);
    outboxes_[pending.sm].push_back(response);
  }
}

bool Partition::has_responded() const {
  return std::any_of(outboxes_.begin(), outboxes_.end(),
                     [](const auto& outbox) { return !outbox.empty(); });
}

Cycle Partition::next_event() const {
  const Cycle request = has_next_ ? next_attempt() : arriving_.next_arrival();
  return std::min({request, memory_.next_event(), responses_.next_ready()});
}

bool Partition::idle() const {
  return !has_next_ && arriving_.empty() && memory_side_->idle() && responses_.empty() &&
         memory_.next_event() == Cycle::never();
}

void Partition::trace(trace::Log* log) {
  trace_.set_log(log);
  memory_.trace(log);
}

void Partition::declare(CounterList& counters) {
  counters.part("crossbar", crossbar_counters_);
  counters.part("l2", l2_counters_);
  counters.part("atomic", atomic_counters_);
  counters.part("dram", dram_counters_);
}

}  // namespace heddle::memory
