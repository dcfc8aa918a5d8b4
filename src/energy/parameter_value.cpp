#include "energy/parameter_value.h"

#include <stdexcept>
#include <type_traits>
#include <variant>

namespace heddle::energy {

double number_of(const config::Parameter& parameter) {
  return std::visit(
      [&](const auto* value) -> double {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(*value)>>) {
          return static_cast<double>(*value);
        } else {
          throw std::logic_error(parameter.name + " is not a number");
        }
      },
      parameter.target);
}

}  // namespace heddle::energy
