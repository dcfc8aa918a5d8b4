#pragma once

// Plans an experiment from a test's text.

#include <string>

#include "base/error.h"
#include "lab/plan.h"

namespace heddle::lab {

inline Plan plan_of(const std::string& text) {
  return plan_runs(read_experiment(text, "study", "study.toml"), {}, sources());
}

/// The message if the experiment cannot be planned; empty if it can.
inline std::string error_of(const std::string& text) {
  try {
    plan_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace heddle::lab
