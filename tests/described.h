#pragma once

#include <initializer_list>
#include <string_view>

#include "config/declarations.h"
#include "config/set_parameter.h"

namespace heddle {

/// A description with parameters set from text, as on a command line: "banks=4".
template <class Description>
Description described(std::initializer_list<std::string_view> settings) {
  Description description;
  config::Declarations parameters;
  description.declare(parameters);
  for (const std::string_view setting : settings) config::set_parameter(parameters, setting);
  return description;
}

}  // namespace heddle
