#pragma once

#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// An experiment's section of the page, as HTML. `id` is the section's HTML id, to which links
/// refer.
std::string section(const Study& study, const std::string& id);

}  // namespace heddle::lab::report
