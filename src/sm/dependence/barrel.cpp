#include <fmt/format.h>

#include "base/error.h"
#include "sm/dependence/one_at_a_time.h"

namespace heddle::sm {
namespace {

struct BarrelParameters {
  static void check(const DependenceContext& context) {
    if (context.fetch_ports >= context.schedulers) return;
    throw InputError(fmt::format(
        "fetch.ports is {1}: with dependence.policy 'barrel' an instruction is fetched when a "
        "scheduler has chosen its warp, so {0} schedulers need at least {0} ports",
        context.schedulers, context.fetch_ports));
  }
  static DependenceProperties properties(const DependenceDescription&) {
    return {.holds_fetch = true, .is_one_at_a_time = true};
  }
};

/// A strict barrel processor: a warp that has been selected in the fetch stage is not selected
/// again until its instruction has left the pipeline (Narasiman et al., Improving GPU Performance
/// via Large Warps and Two-Level Warp Scheduling, section 2.1).
class Barrel final : public OneAtATime {};

const DependenceRegistry::Entry barrel_entry{
    "barrel", "a warp's next instruction is fetched when the previous one has left the pipeline",
    [](const BarrelParameters&, const DependencePlace&) { return std::make_unique<Barrel>(); }};

}  // namespace
}  // namespace heddle::sm
