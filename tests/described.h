#pragma once

#include <initializer_list>
#include <string_view>

#include "config/assign.h"
#include "config/declarations.h"

namespace heddle {

/// A description that says what it is told in text, as on a command line: "banks=4".
template <class Description>
Description described(std::initializer_list<std::string_view> settings) {
  Description description;
  config::Declarations parameters;
  description.declare(parameters);
  for (const std::string_view setting : settings) config::assign(parameters, setting);
  return description;
}

}  // namespace heddle
