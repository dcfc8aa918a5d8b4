#include "sm/residency/residency.h"

#include <algorithm>

#include "sm/ids.h"

namespace heddle::sm {

void ResidencyDescription::declare(config::Declarations& parameters) {
  parameters.number("warps", warps, {.least = 1, .most = kMaxWarps}, "resident warps, at most");
  parameters.number("blocks", blocks, {.least = 1, .most = kMaxWarps}, "resident blocks, at most");
  parameters.number("registers", registers, {.least = 32, .most = 16777216},
                    "32-bit registers for all resident threads");
  parameters.number("register_unit", register_unit, {.least = 1, .most = 65536},
                    "registers are allocated to a warp in multiples of this");
  parameters.number("registers_per_thread", registers_per_thread, {.least = 16, .most = 255},
                    "registers of a thread, at most; kernels are compiled for that limit");
  parameters.number("shared_bytes", shared_bytes, {.unit = "B", .least = 0, .most = 16777216},
                    "shared memory for all resident blocks");
  parameters.number("shared_unit", shared_unit, {.unit = "B", .least = 1, .most = 65536},
                    "shared memory is allocated to a block in multiples of this");
}

void ResidencyPolicyParameters::declare(config::Declarations& parameters) {
  parameters.choice("policy", residency.policy, ResidencyRegistry::names(),
                    "whether resources are allocated to whole blocks or to warps");
  ResidencyRegistry::declare(residency, parameters);
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

std::uint32_t ResidencyDescription::max_registers(std::uint64_t threads) const {
  const std::uint64_t per_warp = registers / std::max<std::uint64_t>((threads + 31) / 32, 1);
  const std::uint64_t per_thread = per_warp / register_unit * register_unit / 32;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(per_thread, registers_per_thread));
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
