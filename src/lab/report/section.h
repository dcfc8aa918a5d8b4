#pragma once

#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// An experiment's part of the page. `id`: what it is linked by.
std::string section(const Study& study, const std::string& id);

}  // namespace heddle::lab::report
