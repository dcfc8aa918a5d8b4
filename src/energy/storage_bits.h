#pragma once

// How many bits a machine has, array by array, of the parameters that it is described by. Tags,
// queues and what keeps misses apart are in no figure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/storage_list.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// An array that a machine has in each of some places.
struct StorageBits {
  config::StorageArray array{};
  std::optional<std::uint64_t> bits{};  ///< In each place; empty where nobody says.
  std::uint32_t places = 0;
  bool of_partition = false;  ///< Else of multiprocessors,
  std::string group{};        ///< those of this group; empty: those in none.
};

/// All that the machine has: of its multiprocessors, kind by kind, then of its partitions.
std::vector<StorageBits> storage_of(const gpu::Machine& machine);
/// The names of arrays that any machine may have.
std::vector<std::string_view> storage_names();

/// Of the whole chip, without those of which nobody says how many.
std::uint64_t total_bits(const std::vector<StorageBits>& storage);
/// Of an array in one place, on average over those that might have it.
double bits_of_each(const std::vector<StorageBits>& storage, const gpu::Machine& machine,
                    std::string_view array);

}  // namespace heddle::energy
