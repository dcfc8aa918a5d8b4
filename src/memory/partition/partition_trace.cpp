#include "memory/partition/partition_trace.h"

namespace heddle::memory {
namespace {

using trace::kHex;
using trace::Kind;
using trace::kNothing;

const Kind kArrived{"request_arrived",
                    "a request has arrived at the partition's end of the crossbar",
                    {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kBlocked{"request_blocked",
                    "a request stalls at the L2 or memory, with all later ones; the cause says why",
                    {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kSentToDram{"request_passed_on",
                       "a request goes to memory, because there is no L2",
                       {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kHit{
    "l2_hit", "the L2 has all sectors of a request", {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kMiss{"l2_miss",
                 "a request misses: the L2 fetches sectors, or has no line for the written data",
                 {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kMerged{"l2_merged",
                   "all missing sectors of a request are already in flight to the L2",
                   {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kFilled{"l2_fill", "data have arrived from memory", {{"line", kHex}, {"sectors", kHex}}};
const Kind kEvicted{"l2_evicted",
                    "a line is evicted; its dirty sectors are written to memory",
                    {{"line", kHex}, {"dirty", kHex}}};
const Kind kPerformed{"atomic_performed",
                      "the atomic unit starts an atomic",
                      {{"request"}, {"address", kHex}, {"bytes"}, {"passes"}}};
const Kind kResponded{"response_sent",
                      "a response has left the partition's port",
                      {{"request"}, {"bytes"}, {"arrives"}}};

}  // namespace

void PartitionTrace::note(Cycle at, const Kind& kind, const Request& request,
                          std::string_view cause) const {
  log_->note(
      {.at = at,
       .kind = &kind,
       .origin = {.sm = request.sm},
       .cause = cause,
       .values = {request.kind == RequestKind::write ? kNothing : request.token,
                  local_.to_global(request.address, partition_), request.bytes, request.passes}});
}

void PartitionTrace::arrived(const Request& request) const {
  Request local_request = request;
  local_request.address = local_.to_local(request.address);
  note(request.arrival, kArrived, local_request, name_of(request.kind));
}

void PartitionTrace::blocked(Cycle at, const Request& request, std::string_view cause) const {
  note(at, kBlocked, request, cause);
}

void PartitionTrace::found(Cycle at, const Request& request, CacheTags::Probe found) const {
  const bool merges = found == CacheTags::Probe::pending;
  const Kind& kind = found == CacheTags::Probe::hit ? kHit : merges ? kMerged : kMiss;
  note(at, kind, request, name_of(request.kind));
}

void PartitionTrace::sent_to_dram(Cycle at, const Request& request) const {
  note(at, kSentToDram, request, name_of(request.kind));
}

void PartitionTrace::performed(Cycle at, const Request& request) const {
  note(at, kPerformed, request, {});
}

void PartitionTrace::filled(Cycle at, std::uint64_t address, SectorMask sectors) const {
  log_->note(
      {.at = at, .kind = &kFilled, .values = {local_.to_global(address, partition_), sectors}});
}

void PartitionTrace::evicted(Cycle at, std::uint64_t address, SectorMask dirty) const {
  log_->note(
      {.at = at, .kind = &kEvicted, .values = {local_.to_global(address, partition_), dirty}});
}

void PartitionTrace::responded(Cycle sent, const Response& response, std::uint16_t sm) const {
  log_->note({.at = sent,
              .kind = &kResponded,
              .origin = {.sm = sm},
              .values = {response.token, response.bytes, response.arrival.number}});
}

}  // namespace heddle::memory
