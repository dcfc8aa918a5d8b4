#pragma once

// The registry of divergence policies, which define which threads share a warp slot and issue
// together. Each policy is a class that fulfils the concept ThreadGrouping
// (sm/pipeline/thread_grouping.h). It registers a pipeline that is compiled for this class
// (sm/pipeline/pipeline_of.h).

#include <cstdint>
#include <memory>
#include <string_view>

#include "config/policy_registry.h"
#include "sm/divergence/divergence_description.h"
#include "sm/pipeline/pipeline.h"
#include "sm/sm_description.h"

namespace heddle::sm {

struct DivergenceProperties {
  /// The number of static warps (32 threads each) that a slot has space for. 1 for formed warps,
  /// too: they have at most 32 threads.
  std::uint32_t static_warps = 1;
  /// The number of warp slots; 0: as many as static warps can be resident.
  std::uint32_t slots = 0;
  /// The parameters that set how many warps the schedulers choose from, for messages.
  std::string_view warp_count_source = "sm.warps";
  bool reports_formation = false;  ///< Whether the policy calls Scheduler::formed().
};

struct DivergenceSeam {
  using Policy = Pipeline;
  using Description = DivergenceDescription;
  using Place = PipelineParts;
  using Context = SmDescription;
  using Properties = DivergenceProperties;
};
using DivergenceRegistry = config::PolicyRegistry<DivergenceSeam>;

}  // namespace heddle::sm
