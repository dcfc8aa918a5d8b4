#include "sm/residency/residency.h"

#include <algorithm>

#include "sm/ids.h"

namespace heddle::sm {

void ResidencyDescription::declare(config::Declarations& parameters) {
  parameters.choice("residency", policy, ResidencyRegistry::names(),
                    "in which portions a multiprocessor takes up work");
  parameters.number("warps", warps, {.least = 1, .most = kMostWarps}, "resident at once, at most");
  parameters.number("blocks", blocks, {.least = 1, .most = kMostWarps},
                    "resident at once, at most");
  parameters.number("registers", registers, {.least = 32, .most = 16777216},
                    "of 32 bits, for all resident threads");
  parameters.number("register_unit", register_unit, {.least = 1, .most = 65536},
                    "registers are given to a warp in multiples of this");
  parameters.number("registers_per_thread", registers_per_thread, {.least = 16, .most = 255},
                    "at most; kernels are compiled for that");
  parameters.number("shared_bytes", shared_bytes, {.unit = "B", .least = 0, .most = 16777216},
                    "of shared memory, for all resident blocks");
  parameters.number("shared_unit", shared_unit, {.unit = "B", .least = 1, .most = 65536},
                    "shared memory is given to a block in multiples of this");
  ResidencyRegistry::declare(*this, parameters);
}

void ResidencyDescription::storage(config::StorageList& list) const {
  list.add({.name = "register_file",
            .bits = "32 * sm.registers",
            .meaning = "the registers of all resident threads",
            .source = "the machine"});
  list.add({.name = "shared_memory",
            .bits = "8 * sm.shared_bytes",
            .meaning = "the shared memory of all resident blocks",
            .source = "the machine"});
  ResidencyRegistry::storage(policy, list);
}

void ResidencyDescription::check(const SmDescription& sm) const {
  ResidencyRegistry::check(policy, *this, sm);
}

std::uint32_t ResidencyDescription::most_registers(std::uint64_t threads) const {
  const std::uint64_t of_a_warp = registers / std::max<std::uint64_t>((threads + 31) / 32, 1);
  const std::uint64_t given = of_a_warp / register_unit * register_unit / 32;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(given, registers_per_thread));
}

ResidencyProperties properties_of(const ResidencyDescription& description) {
  return ResidencyRegistry::properties(description.policy, description);
}

std::unique_ptr<Residency> make_residency(const ResidencyDescription& description) {
  return ResidencyRegistry::make(description.policy, description, description);
}

Occupancy occupancy_of(const ResidencyDescription& multiprocessor, const BlockNeeds& needs) {
  return make_residency(multiprocessor)->occupancy(needs);
}

std::string_view name_of(ResidencyLimit limit) {
  switch (limit) {
    case ResidencyLimit::registers:
      return "registers";
    case ResidencyLimit::shared_memory:
      return "shared memory";
    case ResidencyLimit::warps:
      return "warps";
    case ResidencyLimit::blocks:
      return "blocks";
  }
  return "";
}

}  // namespace heddle::sm
