#pragma once

// What passes between the streaming multiprocessors and the partitions of memory.

#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "base/lane_mask.h"

namespace heddle::memory {

/// What is to be done to memory where an atomic arrives: the work is another room's.
class AtomicWork {
 public:
  AtomicWork() = default;
  AtomicWork(const AtomicWork&) = delete;
  AtomicWork& operator=(const AtomicWork&) = delete;
  virtual ~AtomicWork() = default;
  /// Does the atomics of these lanes, in ascending order.
  virtual void perform(LaneMask lanes) = 0;
};

enum class RequestKind : std::uint8_t {
  read,    ///< Answered with the data.
  write,   ///< Not answered.
  atomic,  ///< Answered, with the old values where `answer_bytes` is not 0.
};
constexpr std::string_view name_of(RequestKind kind) {
  return kind == RequestKind::read ? "read" : kind == RequestKind::write ? "write" : "atomic";
}

/// From a streaming multiprocessor. The bytes lie in one line of the L2, and in one channel.
struct Request {
  std::uint64_t address = 0;  ///< Of the first byte.
  std::uint32_t bytes = 0;    ///< That are read or written.
  RequestKind kind = RequestKind::read;
  std::uint16_t sm = 0;
  std::uint32_t token = 0;          ///< The sender's: it comes back with the answer.
  std::uint32_t carried_bytes = 0;  ///< Of data that come with it: `bytes` of a write.
  std::uint32_t answer_bytes = 0;   ///< Of data in the answer: `bytes` of a read.
  /// Of an atomic: how often the unit must start, as lanes with the same address come one by one.
  std::uint32_t passes = 1;
  LaneMask lanes;              ///< Of an atomic: those to perform.
  AtomicWork* work = nullptr;  ///< Of an atomic. It outlives the answer.
  Cycle arrival;               ///< At the partition's end of the crossbar, in core cycles.
};

/// To a streaming multiprocessor.
struct Response {
  std::uint32_t token = 0;
  std::uint32_t bytes = 0;  ///< On the wire, with the header.
  Cycle arrival;            ///< At the multiprocessor's end of the crossbar.
};

}  // namespace heddle::memory
