#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::locality {

/// A histogram of reuse distances. Class 0 is distance 0; class c has the distances from 2^(c-1) to
/// 2^c - 1.
class DistanceCounts {
 public:
  static constexpr std::size_t kClasses = 33;

  void add_first_access() { ++first_accesses_; }
  void add_reuse(std::uint32_t distance);
  void add(const DistanceCounts& other);

  /// The accesses to a line that the stream had not accessed before.
  std::uint64_t first_accesses() const { return first_accesses_; }
  std::uint64_t reuses(std::size_t distance_class) const { return reuses_[distance_class]; }
  /// The number of classes up to the last one that is not empty.
  std::size_t used_classes() const;
  static constexpr std::uint64_t smallest_distance(std::size_t distance_class) {
    return distance_class == 0 ? 0 : std::uint64_t{1} << (distance_class - 1);
  }

 private:
  std::uint64_t first_accesses_ = 0;
  std::array<std::uint64_t, kClasses> reuses_{};
};

}  // namespace heddle::locality
