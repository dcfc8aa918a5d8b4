#include "sm/lookahead/lookahead_description.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "base/error.h"
#include "sm/branch/branch_unit.h"
#include "sm/lookahead/lookahead.h"
#include "sm/sm_description.h"

namespace heddle::sm {

void LookaheadDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, LookaheadRegistry::names(),
                    "whether warps run ahead while they wait for memory, on a second context");
  parameters.number("switch_cycles", switch_cycles,
                    {.unit = "core cycles", .least = 1, .most = 1000},
                    "from the start of a wait until the warp examines its first instruction ahead");
  LookaheadRegistry::declare(*this, parameters);
}

void LookaheadDescription::storage(config::StorageList& list) const {
  LookaheadRegistry::storage(policy, list);
}

bool LookaheadDescription::is_present() const { return make_lookahead(*this) != nullptr; }

namespace {

std::optional<ReuseParameters> reuse_of(const LookaheadDescription& description) {
  const std::unique_ptr<Lookahead> made = make_lookahead(description);
  return made == nullptr ? std::nullopt : made->reuse();
}

}  // namespace

bool LookaheadDescription::reuses_results() const { return reuse_of(*this).has_value(); }

std::uint32_t LookaheadDescription::renaming_registers() const {
  return reuse_of(*this).value_or(ReuseParameters{}).rename_registers;
}

void LookaheadDescription::check(const SmDescription& sm) const {
  LookaheadRegistry::check(policy, *this, sm);
  if (!is_present()) return;
  const auto reject = [&](std::string_view parameter, std::string_view value,
                          std::string_view reason) {
    throw InputError(fmt::format("lookahead.policy '{}' does not work with {} '{}': {}", policy,
                                 parameter, value, reason));
  };
  if (!sm.divergence.keeps_static_warps()) {
    reject("divergence.policy", sm.divergence.policy,
           "the second context is a copy of one static warp, but a warp has threads of several");
  }
  if (!sm.dependence.records_registers()) {
    reject("dependence.policy", sm.dependence.policy,
           "a warp that runs ahead must know when each register can be read");
  }
  if (sm.units.bypass) {
    reject("units.bypass", "yes",
           "when a register can be read would depend on the unit that reads it");
  }
  if (make_branch_unit(sm.branch)->predicts()) {
    reject("branch.policy", sm.branch.policy,
           "a warp has one buffer for speculative fetches, which its wrong path would need, too");
  }
  if (!sm.operands.is_register_file()) {
    reject("operands.policy", sm.operands.policy,
           "the levels above the register file keep values of the normal context only");
  }
  if (sm.redundancy.is_present()) {
    reject("redundancy.policy", sm.redundancy.policy,
           "it observes the values of executed instructions, and those ahead are thrown away");
  }
}

}  // namespace heddle::sm
