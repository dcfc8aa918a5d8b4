#include "sm/memory/request_sender.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

using memory::Request;
using memory::RequestKind;

namespace {

const trace::Kind kSent{
    "request_sent",
    "a request has left the multiprocessor's port",
    {{"request"}, {"partition"}, {"address", trace::kHex}, {"bytes"}, {"arrives"}}};

}  // namespace

RequestSender::RequestSender(const Parameters& parameters,
                             const memory::InterconnectDescription& interconnect,
                             memory::PortParameters port, const memory::AddressMap& partitions)
    : parameters_(parameters),
      backlog_(parameters.send_backlog),
      latency_(interconnect.latency),
      header_bytes_(interconnect.header_bytes),
      partitions_(partitions),
      port_(port),
      outboxes_(partitions.parameters().channels) {}

/// Calls send_one(address, bytes) for each request that the pieces need. Returns the number of
/// requests.
template <class SendOne>
std::uint32_t RequestSender::for_each_request(const Pieces& pieces, SendOne&& send_one) const {
  std::uint32_t requests = 0;
  std::uint64_t mask = pieces.mask;  // 64 bits wide, so that a zero ends every run of ones.
  while (mask != 0) {
    const int first = std::countr_zero(mask);
    const int count = std::countr_one(mask >> first);
    mask &= ~(((std::uint64_t{1} << count) - 1) << first);

    std::uint64_t address = pieces.address + static_cast<std::uint64_t>(first) * pieces.grain;
    std::uint32_t rest = static_cast<std::uint32_t>(count) * pieces.grain;
    while (rest > 0) {
      const auto offset = static_cast<std::uint32_t>(address) & (parameters_.request_bytes - 1);
      const std::uint32_t bytes = std::min(rest, parameters_.request_bytes - offset);
      send_one(address, bytes);
      ++requests;
      address += bytes;
      rest -= bytes;
    }
  }
  return requests;
}

std::uint32_t RequestSender::read(const Pieces& pieces, std::uint32_t token, Cycle access,
                                  trace::Origin origin) {
  return for_each_request(pieces, [&](std::uint64_t address, std::uint32_t bytes) {
    Request request;
    request.address = address;
    request.bytes = bytes;
    request.token = token;
    request.response_bytes = bytes;
    send(request, access, origin);
  });
}

void RequestSender::write(const Pieces& pieces, Cycle access, trace::Origin origin) {
  for_each_request(pieces, [&](std::uint64_t address, std::uint32_t bytes) {
    Request request;
    request.address = address;
    request.bytes = bytes;
    request.kind = RequestKind::write;
    request.carried_bytes = bytes;
    send(request, access, origin);
  });
}

void RequestSender::send(Request request, Cycle access, trace::Origin origin) {
  const std::uint32_t bytes = header_bytes_ + request.carried_bytes;
  // An empty message still occupies the port.
  const Cycle sent = port_.book(access + Cycles(1), std::max(bytes, 1U));
  request.sm = parameters_.sm;
  request.arrival = sent + latency_;
  outboxes_[partitions_.channel_of(request.address)].push_back(request);
  ++requests_sent_;
  bytes_sent_ += bytes;
  if (log_ != nullptr) note(request, sent, origin);
}

void RequestSender::note(const Request& request, Cycle sent, trace::Origin origin) {
  const bool has_response = request.kind != RequestKind::write;
  log_->note({.at = sent,
              .kind = &kSent,
              .origin = origin,
              .cause = name_of(request.kind),
              .values = {has_response ? request.token : trace::kNothing,
                         partitions_.channel_of(request.address), request.address, request.bytes,
                         request.arrival.number}});
}

bool RequestSender::has_sent() const {
  return std::any_of(outboxes_.begin(), outboxes_.end(),
                     [](const auto& outbox) { return !outbox.empty(); });
}

void RequestSender::declare(CounterList& counters) {
  counters.add("requests_sent", requests_sent_, "messages", "sent to memory");
  counters.add("bytes_sent", bytes_sent_, "B", "sent to memory, including headers");
}

}  // namespace heddle::sm
