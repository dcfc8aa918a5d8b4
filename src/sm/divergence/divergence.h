#pragma once

// The registry of divergence policies, which decide which threads share a warp slot and issue
// together. A policy is a class that fulfils the concept ThreadGrouping
// (sm/pipeline/thread_grouping.h). Its file registers a pipeline that is compiled for this class
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
  /// How many static warps, of 32 threads each, a warp slot has space for. It is also 1 for formed
  /// warps, which have at most 32 threads.
  std::uint32_t static_warps = 1;
  /// The number of warp slots. If 0, there are as many as static warps that can be resident.
  std::uint32_t slots = 0;
  /// For messages: the parameters that set the number of warps from which the schedulers choose.
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
