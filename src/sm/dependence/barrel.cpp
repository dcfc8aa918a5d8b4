#include "sm/dependence/one_at_a_time.h"

namespace heddle::sm {
namespace {

/// A strict barrel: a warp that has been selected in the fetch stage is not selected again until it
/// has left the pipeline, whatever the instruction (Narasiman et al., Improving GPU Performance via
/// Large Warps and Two-Level Warp Scheduling, section 2.1).
class Barrel final : public OneAtATime {
 public:
  bool holds_fetch() const override { return true; }
};

const DependenceRegistry::Entry entry{
    "barrel", "a warp's next instruction is fetched when the one before has left the pipeline",
    []() -> std::unique_ptr<Dependence> { return std::make_unique<Barrel>(); }};

}  // namespace
}  // namespace heddle::sm
