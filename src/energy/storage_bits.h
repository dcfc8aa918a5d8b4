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

/// A memory array of which each multiprocessor of a group, or each memory partition, has one
/// instance.
struct StorageBits {
  config::StorageArray array{};
  std::optional<std::uint64_t> bits{};  ///< Bits of one instance; empty if unknown.
  std::uint32_t instances = 0;          ///< Number of instances.
  bool is_in_partition = false;         ///< Otherwise in multiprocessors.
  std::string group{};  ///< The multiprocessors' group; empty if they belong to none.
};

/// All arrays of the machine: first those of its multiprocessors, group by group, then those of its
/// partitions.
std::vector<StorageBits> storage_of(const gpu::Machine& machine);
/// The names of all arrays that a machine can have.
std::vector<std::string_view> storage_names();

/// The bits of the whole chip, without arrays of unknown size.
std::uint64_t total_bits(const std::vector<StorageBits>& storage);
/// The bits of an array, averaged over all multiprocessors or partitions, including those without
/// the array.
double mean_bits(const std::vector<StorageBits>& storage, const gpu::Machine& machine,
                 std::string_view array);

}  // namespace heddle::energy
