#include <array>

#include "code/operation_properties.h"

namespace heddle::code {
namespace {

// The beginnings of the expressions in operation.def's last column.
constexpr Expansion once;
constexpr Expansion integers(std::uint8_t narrow, std::uint8_t wide) {
  return {.integer_instructions = narrow, .wide_integer_instructions = wide};
}
constexpr Expansion floats(std::uint8_t narrow, std::uint8_t wide) {
  return once.floats(narrow, wide);
}

constexpr std::array kProperties = {
#define HEDDLE_OPERATION(name, functional_class, executor, effects, latency, expansion) \
  OperationProperties{#name,                                                            \
                      FunctionalClass::functional_class,                                \
                      Executor::executor,                                               \
                      EffectsClass::effects,                                            \
                      LatencyClass::latency,                                            \
                      expansion},
#include "code/operation.def"
};

}  // namespace

const OperationProperties& properties_of(Operation operation) {
  return kProperties[static_cast<std::size_t>(operation)];
}

std::string_view name_of(Operation operation) {
  const std::string_view name = properties_of(operation).name;
  // and_, or_, xor_, not_ are keywords without their underscore.
  return name.back() == '_' ? name.substr(0, name.size() - 1) : name;
}

bool is_control(Operation operation) {
  return properties_of(operation).executor == Executor::control;
}

}  // namespace heddle::code
