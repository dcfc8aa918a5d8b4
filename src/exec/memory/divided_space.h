#pragma once

// The address space of a device that several programs are on at once. Each has a part of its own,
// with nothing of another's in it: so caches cannot take one's data for another's, and what a
// program reaches outside of its allocations is found out as if it were alone. The host has all
// parts in one range, so that the distance between a device address and the host's is one, too.

#include <cstdint>
#include <memory>

#include "exec/memory/address_space.h"
#include "exec/memory/memory_options.h"
#include "exec/memory/reservation.h"

namespace heddle::exec {

class DividedSpace {
 public:
  /// From one part's first address to the next one's: the same on every host, since timing goes by
  /// addresses.
  static constexpr std::uint64_t kStride = std::uint64_t{1} << 36;
  static constexpr std::uint64_t begin_of(std::uint32_t part) {
    return kGlobalBase + part * kStride;
  }

  /// Throws InputError where parts would be larger than what lies between them, and where the host
  /// has no room.
  DividedSpace(std::uint32_t parts, std::uint64_t bytes_of_each);

  /// Where the host has kGlobalBase.
  std::byte* base() const { return whole_.base(); }
  /// The space must outlive it.
  Reservation part(std::uint32_t part, std::uint64_t bytes) const {
    return Reservation(whole_, part * kStride, bytes);
  }

 private:
  Reservation whole_;
};

/// For so many programs whose memories have these options.
std::shared_ptr<const DividedSpace> divided_space_for(const MemoryOptions& options,
                                                      std::uint32_t parts);

}  // namespace heddle::exec
