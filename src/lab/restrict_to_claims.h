#pragma once

#include <string>
#include <vector>

#include "lab/experiment.h"

namespace heddle::lab {

/// Keeps those of an experiment's claims that have these ids, without their other readings, and the
/// rows and variants that they need. Throws InputError if a claim is missing.
void restrict_to_claims(Experiment& experiment, const std::vector<std::string>& ids);

}  // namespace heddle::lab
