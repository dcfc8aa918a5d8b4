#pragma once

#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// An experiment's section of the page. `id` is the target of links to it.
std::string section(const Study& study, const std::string& id);

}  // namespace heddle::lab::report
