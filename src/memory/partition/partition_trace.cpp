#include "memory/partition/partition_trace.h"

namespace heddle::memory {
namespace {

using trace::kHex;
using trace::Kind;
using trace::kNothing;

const Kind kArrived{"request_arrived",
                    "a request is at the partition's end of the crossbar",
                    {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kBlocked{"request_blocked",
                    "the L2 or memory cannot let it in, nor those after it: why",
                    {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kPassedOn{"request_passed_on",
                     "it goes to memory, as there is no L2",
                     {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kHit{
    "l2_hit", "the L2 has all its sectors", {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kMiss{"l2_miss",
                 "the L2 has to fetch for it, or has no line for what it writes",
                 {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kMerged{"l2_merged",
                   "what it needs is on its way to the L2",
                   {{"request"}, {"address", kHex}, {"bytes"}}};
const Kind kFilled{"l2_fill", "data have come from memory", {{"line", kHex}, {"sectors", kHex}}};
const Kind kEvicted{"l2_evicted",
                    "a line makes room for another; its dirty sectors are written",
                    {{"line", kHex}, {"dirty", kHex}}};
const Kind kPerformed{"atomic_performed",
                      "the atomic unit takes it up",
                      {{"request"}, {"address", kHex}, {"bytes"}, {"passes"}}};
const Kind kAnswered{"answer_sent",
                     "an answer has left the partition's port",
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
                  local_.known(request.address, partition_), request.bytes, request.passes}});
}

void PartitionTrace::arrived(const Request& request) const {
  Request own = request;
  own.address = local_.of(request.address);
  note(request.arrival, kArrived, own, name_of(request.kind));
}

void PartitionTrace::blocked(Cycle at, const Request& request, std::string_view cause) const {
  note(at, kBlocked, request, cause);
}

void PartitionTrace::found(Cycle at, const Request& request, CacheTags::Probe found) const {
  const bool merges = found == CacheTags::Probe::pending;
  const Kind& kind = found == CacheTags::Probe::hit ? kHit : merges ? kMerged : kMiss;
  note(at, kind, request, name_of(request.kind));
}

void PartitionTrace::passed_on(Cycle at, const Request& request) const {
  note(at, kPassedOn, request, name_of(request.kind));
}

void PartitionTrace::performed(Cycle at, const Request& request) const {
  note(at, kPerformed, request, {});
}

void PartitionTrace::filled(Cycle at, std::uint64_t address, SectorMask sectors) const {
  log_->note({.at = at, .kind = &kFilled, .values = {local_.known(address, partition_), sectors}});
}

void PartitionTrace::evicted(Cycle at, std::uint64_t address, SectorMask dirty) const {
  log_->note({.at = at, .kind = &kEvicted, .values = {local_.known(address, partition_), dirty}});
}

void PartitionTrace::answered(Cycle sent, const Response& response, std::uint16_t sm) const {
  log_->note({.at = sent,
              .kind = &kAnswered,
              .origin = {.sm = sm},
              .values = {response.token, response.bytes, response.arrival.number}});
}

}  // namespace heddle::memory
