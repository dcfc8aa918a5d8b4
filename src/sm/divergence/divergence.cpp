#include "sm/divergence/divergence.h"

#include "sm/ids.h"

namespace heddle::sm {

void DivergenceDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, DivergenceRegistry::names(),
                    "which threads travel together, and what becomes of them when they part");
  parameters.number("large_warp", large_warp, {.unit = "threads", .least = 32, .most = 1024},
                    "of a large warp: a multiple of 32 ('large-warp')");
  parameters.flag("memory_by_rows", memory_by_rows,
                  "whether accesses to global and local memory go by the rows of a large warp, "
                  "whose threads are neighbours, and not by packed sub-warps ('large-warp')");
  parameters.flag("jumps_at_once", jumps_at_once,
                  "whether a branch without a guard takes a large warp one cycle, and not one for "
                  "each sub-warp ('large-warp')");
  parameters.number("formed_warps", formed_warps, {.least = 1, .most = kMostWarps},
                    "that there can be at once; threads beyond them wait ('dynamic-formation')");
}

std::uint32_t DivergenceDescription::rows() const {
  return DivergenceRegistry::get(policy)->rows(*this);
}

}  // namespace heddle::sm
