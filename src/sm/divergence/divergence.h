#pragma once

// Which threads travel together: an answer owns what is in the slots of a multiprocessor's warps
// (sm/pipeline/travellers.h), and is the pipeline compiled for that (sm/pipeline/pipeline_of.h).

#include <cstdint>
#include <memory>
#include <string_view>

#include "config/answer_registry.h"
#include "sm/divergence/divergence_description.h"
#include "sm/pipeline/pipeline.h"
#include "sm/sm_description.h"

namespace heddle::sm {

struct DivergenceProperties {
  std::uint32_t rows = 1;   ///< Of 32 threads each, that travel as one at most.
  std::uint32_t slots = 0;  ///< For what travels; 0: as many as warps can be resident.
  /// Where the number of what schedulers choose from is said, for messages.
  std::string_view number_from = "sm.warps";
  bool reports_formation = false;  ///< To schedulers: Scheduler::formed().
};

struct DivergenceSeam {
  using Answer = Pipeline;
  using Description = DivergenceDescription;
  using Place = PipelineParts;
  using Context = SmDescription;
  using Properties = DivergenceProperties;
};
using DivergenceRegistry = config::AnswerRegistry<DivergenceSeam>;

}  // namespace heddle::sm
