#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::exec {

/// A stretch of the host's address space. The host gives memory only for pages that were touched,
/// and takes it back from those that were discarded. What was never written is zero.
class Reservation {
 public:
  /// At the host's address `at`, or where the host likes if it is 0. Throws InputError where the
  /// host does not have so much address space there.
  explicit Reservation(std::uint64_t bytes, std::uint64_t at = 0);
  /// A part of another, which must outlive it and no other part of which overlaps. What was written
  /// to it is gone when it ends. Throws InputError where it reaches beyond.
  Reservation(const Reservation& whole, std::uint64_t offset, std::uint64_t bytes);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  std::byte* base() const { return base_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Makes the first `bytes` bytes usable. Throws InputError where the host refuses.
  void commit(std::uint64_t bytes);
  /// Whether a range is usable.
  bool commits(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= committed_ && bytes <= committed_ - offset;
  }
  /// Zeroes a range, giving whole pages back to the host.
  void discard(std::uint64_t offset, std::uint64_t bytes);

 private:
  bool is_part_ = false;
  std::byte* base_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::uint64_t committed_ = 0;
  std::uint64_t page_bytes_ = 0;
};

}  // namespace heddle::exec
