#pragma once

// The messages between the streaming multiprocessors and the memory partitions.

#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "base/lane_mask.h"

namespace heddle::memory {

/// The operation of an atomic, which the partition executes. src/sm/memory implements it.
class AtomicWork {
 public:
  AtomicWork() = default;
  AtomicWork(const AtomicWork&) = delete;
  AtomicWork& operator=(const AtomicWork&) = delete;
  virtual ~AtomicWork() = default;
  /// Performs the atomics of these lanes, in ascending order.
  virtual void perform(LaneMask lanes) = 0;
};

enum class RequestKind : std::uint8_t {
  read,    ///< The response carries the data.
  write,   ///< No response.
  atomic,  ///< The response carries the old values if `response_bytes` is not 0.
};
constexpr std::string_view name_of(RequestKind kind) {
  return kind == RequestKind::read ? "read" : kind == RequestKind::write ? "write" : "atomic";
}

/// A request of a streaming multiprocessor. Its bytes lie in one L2 line and in one channel.
struct Request {
  std::uint64_t address = 0;  ///< The address of the first byte.
  std::uint32_t bytes = 0;    ///< The number of bytes read or written.
  RequestKind kind = RequestKind::read;
  std::uint16_t sm = 0;
  std::uint32_t token = 0;           ///< The sender's token, returned with the response.
  std::uint32_t carried_bytes = 0;   ///< Data in the request: `bytes` of a write.
  std::uint32_t response_bytes = 0;  ///< Data in the response: `bytes` of a read.
  /// For an atomic: the number of passes through the atomic unit. Lanes with the same address are
  /// serialised.
  std::uint32_t passes = 1;
  LaneMask lanes;              ///< For an atomic: the lanes that perform it.
  AtomicWork* work = nullptr;  ///< For an atomic. It must outlive the response.
  Cycle arrival;               ///< At the partition's end of the crossbar, in core cycles.
};

/// A response to a streaming multiprocessor.
struct Response {
  std::uint32_t token = 0;
  std::uint32_t bytes = 0;  ///< The size of the message, with its header.
  Cycle arrival;            ///< At the multiprocessor's end of the crossbar.
};

}  // namespace heddle::memory
