#pragma once

// A divided space is the address space of a device that several programs share. Each program has a
// part of its own. Caches therefore never confuse the data of two programs, and accesses outside of
// a program's allocations are detected as if the program were alone. All parts are in one
// contiguous range of the host's address space, so that the distance between a device address and
// its host address is the same everywhere.

#include <cstdint>
#include <memory>

#include "exec/memory/address_space.h"
#include "exec/memory/memory_options.h"
#include "exec/memory/reservation.h"

namespace heddle::exec {

class DividedSpace {
 public:
  /// The distance between the first addresses of two consecutive parts, in bytes. It is the same on
  /// every host, because timing depends on addresses.
  static constexpr std::uint64_t kStride = std::uint64_t{1} << 36;
  /// The first device address of a part.
  static constexpr std::uint64_t begin_of(std::uint32_t part) {
    return kGlobalBase + part * kStride;
  }

  /// Throws InputError if `bytes_of_each` exceeds kStride, or if the host has too little address
  /// space.
  DividedSpace(std::uint32_t parts, std::uint64_t bytes_of_each);

  /// The host's address of kGlobalBase.
  std::byte* base() const { return whole_.base(); }
  /// Returns one part of the space. The space must outlive the part.
  Reservation part(std::uint32_t part, std::uint64_t bytes) const {
    return Reservation(whole_, part * kStride, bytes);
  }

 private:
  Reservation whole_;
};

/// A space for `parts` programs whose memories have these options.
std::shared_ptr<const DividedSpace> divided_space_for(const MemoryOptions& options,
                                                      std::uint32_t parts);

}  // namespace heddle::exec
