#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "sm/divergence/divergence.h"

namespace heddle::sm {
namespace {

DivergenceProperties properties_of(const DivergenceDescription& description) {
  return DivergenceRegistry::properties(description.policy, description);
}

}  // namespace

void DivergenceDescription::declare(config::Declarations& parameters) {
  parameters.choice(
      "policy", policy, DivergenceRegistry::names(),
      "which threads share an issue slot, and how the sides of a divergent branch execute");
  DivergenceRegistry::declare(*this, parameters);
}

void DivergenceDescription::storage(config::StorageList& list) const {
  DivergenceRegistry::storage(policy, list);
}

std::uint32_t DivergenceDescription::static_warps() const {
  return properties_of(*this).static_warps;
}

bool DivergenceDescription::keeps_static_warps() const {
  const DivergenceProperties properties = properties_of(*this);
  return properties.static_warps == 1 && !properties.reports_formation;
}

bool DivergenceDescription::regroups_threads() const {
  return properties_of(*this).reports_formation;
}

std::uint32_t DivergenceDescription::slots(std::uint32_t warps) const {
  const std::uint32_t slots = properties_of(*this).slots;
  return slots == 0 ? warps : slots;
}

void DivergenceDescription::check(const SmDescription& description) const {
  DivergenceRegistry::check(policy, *this, description);
  const DivergenceProperties properties = properties_of(*this);
  const ScheduleDescription& schedule = description.schedule;
  const std::uint32_t warps = slots(description.residency.warps) / properties.static_warps;
  const std::uint32_t sub_cores = description.sub_cores.count;
  const std::string source(properties.warp_count_source);
  schedule.check(warps / sub_cores, sub_cores == 1 ? source : source + " / sm.sub_cores");
  if (!properties.reports_formation && schedule.needs_formation()) {
    throw InputError(fmt::format(
        "schedule.policy '{}' chooses among warps that are formed after every instruction, which "
        "divergence.policy '{}' does not do: it needs 'dynamic-formation'",
        schedule.policy, policy));
  }
}

std::unique_ptr<Pipeline> make_pipeline(const PipelineParts& parts) {
  const DivergenceDescription& description = parts.description.divergence;
  return DivergenceRegistry::make(description.policy, description, parts);
}

}  // namespace heddle::sm
