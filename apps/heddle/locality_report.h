#pragma once

// The results of a measurement of locality, as texts.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "locality/recorder.h"

namespace heddle {

/// Returns a kernel's name for readers.
using KernelName = std::function<std::string(const std::string&)>;

/// Everything: by kernel, and by source line.
nlohmann::ordered_json locality_to_json(const locality::Recorder& recorder,
                                        const KernelName& name_of_kernel);
/// The measurement of all kernels together, for the JSON of a run.
nlohmann::ordered_json locality_totals_to_json(const locality::Recorder& recorder);
/// The counts for both sizes: a line for each pair of sizes, for each kernel and source line.
std::string locality_csv(const locality::Recorder& recorder, const KernelName& name_of_kernel);
/// The surface and the curves of all kernels together, as SVG.
std::string locality_picture(const locality::Recorder& recorder);
/// The line of the summary: whether the accesses are coarse or fine grained.
std::string locality_text(const locality::Recorder& recorder);

}  // namespace heddle
