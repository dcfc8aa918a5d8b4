// The policy of dynamic warp formation: its parameters, and the pipeline that is compiled for its
// formed warps (sm/divergence/formed_warp_grouping.h).

#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "sm/divergence/divergence.h"
#include "sm/divergence/formed_warp_grouping.h"
#include "sm/pipeline/pipeline_of.h"

namespace heddle::sm {
namespace {

struct FormationParameters {
  std::uint32_t formed_warps = 64;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "formed_warps", formed_warps, {.least = 1, .most = kMaxWarps},
        "formed warps at once, at most; further threads wait for a slot ('dynamic-formation')");
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "warp_pool",
              .bits = "",
              .meaning = "the formed warps, and the lookup of those at the same instruction",
              .source = "Narasiman et al., section 4, do not give its size"});
  }
  void check(const SmDescription& description) const {
    const std::string& policy = description.divergence.policy;
    if (formed_warps < description.residency.warps) {
      throw InputError(fmt::format(
          "divergence.formed_warps is {}, but the {} resident warps (sm.warps) need a slot each "
          "even before any branch diverges",
          formed_warps, description.residency.warps));
    }
    if (!description.dependence.holds_fetch()) {
      throw InputError(fmt::format(
          "divergence.policy '{}' needs dependence.policy 'barrel', not '{}': warps are "
          "formed after every instruction, and their threads can have nothing in flight then",
          policy, description.dependence.policy));
    }
    if (description.schedule.schedulers > 1) {
      throw InputError(
          fmt::format("divergence.policy '{}' has one pool of warps, for one scheduler, but "
                      "schedule.schedulers is {}",
                      policy, description.schedule.schedulers));
    }
  }
  DivergenceProperties properties(const DivergenceDescription&) const {
    return {.slots = formed_warps,
            .warp_count_source = "divergence.formed_warps",
            .reports_formation = true};
  }
};

const DivergenceRegistry::Entry dynamic_formation_entry{
    "dynamic-formation",
    "dynamic warp formation: any threads at the same instruction, in different lanes",
    [](const FormationParameters&, const PipelineParts& parts) {
      return std::make_unique<PipelineOf<FormedWarpGrouping>>(parts);
    }};

}  // namespace
}  // namespace heddle::sm
