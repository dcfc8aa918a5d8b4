#pragma once

// The messages between the multiprocessors and the memory partitions.

#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "base/lane_mask.h"

namespace heddle::memory {

/// The work of an atomic, which the partition performs. It is implemented in src/sm/memory.
class AtomicWork {
 public:
  AtomicWork() = default;
  AtomicWork(const AtomicWork&) = delete;
  AtomicWork& operator=(const AtomicWork&) = delete;
  virtual ~AtomicWork() = default;
  /// Performs the atomic for these lanes, in ascending order of lanes.
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

/// A request of a multiprocessor. Its bytes lie in one L2 line and in one channel.
struct Request {
  std::uint64_t address = 0;  ///< The address of the first byte.
  std::uint32_t bytes = 0;    ///< The number of bytes read or written.
  RequestKind kind = RequestKind::read;
  std::uint16_t sm = 0;              ///< The number of the multiprocessor that sends it.
  std::uint32_t token = 0;           ///< The sender's token, returned with the response.
  std::uint32_t carried_bytes = 0;   ///< The size of the data in the request, such as written data.
  std::uint32_t response_bytes = 0;  ///< The size of the data in the response, such as read data.
  /// For an atomic: how often it passes through the atomic unit. Lanes with the same address are
  /// serialised, so this is the largest number of lanes with one address.
  std::uint32_t passes = 1;
  LaneMask lanes;              ///< For an atomic: the lanes that perform it.
  AtomicWork* work = nullptr;  ///< For an atomic; must exist until the response arrives.
  Cycle arrival;               ///< At the partition's end of the crossbar (core cycle).
};

/// A response to a multiprocessor.
struct Response {
  std::uint32_t token = 0;  ///< The token of the request.
  std::uint32_t bytes = 0;  ///< The size of the message, with its header.
  Cycle arrival;            ///< At the multiprocessor's end of the crossbar (core cycle).
};

}  // namespace heddle::memory
