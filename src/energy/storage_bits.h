#pragma once

// The storage of a machine in bits, array by array, computed from its parameters. Tags, queues and
// MSHRs are not included.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/storage_list.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// An array that a machine has once in each of several multiprocessors or partitions.
struct StorageBits {
  config::StorageArray array{};
  std::optional<std::uint64_t> bits{};  ///< In each instance; empty if unknown.
  std::uint32_t places = 0;             ///< Number of instances.
  bool is_in_partition = false;         ///< Otherwise in multiprocessors.
  std::string group{};  ///< The multiprocessors' group; empty: they are in no group.
};

/// All arrays of the machine: of its multiprocessors, kind by kind, then of its partitions.
std::vector<StorageBits> storage_of(const gpu::Machine& machine);
/// The names of all arrays that a machine can have.
std::vector<std::string_view> storage_names();

/// The bits of the whole chip, without arrays of unknown size.
std::uint64_t total_bits(const std::vector<StorageBits>& storage);
/// The average bits of an array per multiprocessor or partition, including those that lack it.
double bits_of_each(const std::vector<StorageBits>& storage, const gpu::Machine& machine,
                    std::string_view array);

}  // namespace heddle::energy
