#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "config/declarations.h"
#include "config/set_parameter.h"

namespace heddle {

/// Returns a default `Description` after applying `settings`, which are written as on the command
/// line: "banks=4". Throws InputError for an unknown parameter or an invalid value.
template <class Description>
Description configure(std::span<const std::string_view> settings) {
  Description description;
  config::Declarations parameters;
  description.declare(parameters);
  for (const std::string_view setting : settings) config::set_parameter(parameters, setting);
  return description;
}
template <class Description>
Description configure(std::initializer_list<std::string_view> settings) {
  return configure<Description>(std::span(settings.begin(), settings.size()));
}

}  // namespace heddle
