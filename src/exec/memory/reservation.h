#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::exec {

/// A reserved range of the host's address space. A page takes host memory only after it has been
/// accessed, until it is discarded. Bytes that were never written are zero.
class Reservation {
 public:
  /// Reserves `bytes` bytes at the host's address `at`, or anywhere if `at` is 0. Throws InputError
  /// if the host cannot reserve the range.
  explicit Reservation(std::uint64_t bytes, std::uint64_t at = 0);
  /// Uses `bytes` bytes of `whole` from `offset` on. `whole` must outlive this object, and parts
  /// must not overlap. The destructor zeroes the part. Throws InputError if the part exceeds
  /// `whole`.
  Reservation(const Reservation& whole, std::uint64_t offset, std::uint64_t bytes);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  std::byte* base() const { return base_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Makes at least the first `bytes` bytes usable. Throws InputError if the host has too little
  /// memory.
  void commit(std::uint64_t bytes);
  /// Whether a range has been made usable.
  bool is_committed(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= committed_ && bytes <= committed_ - offset;
  }
  /// Zeroes a range, and returns whole pages to the host.
  void discard(std::uint64_t offset, std::uint64_t bytes);

 private:
  bool is_part_ = false;  ///< Whether it is a part of another reservation.
  std::byte* base_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::uint64_t committed_ = 0;  ///< The number of bytes, from the start, that are usable.
  std::uint64_t page_bytes_ = 0;
};

}  // namespace heddle::exec
