#include "code/operation.h"

#include <array>

namespace heddle::code {
namespace {

struct Description {
  std::string_view name;
  bool control;
};

constexpr std::array kDescriptions = {
#define HEDDLE_OPERATION(name, control) Description{#name, control != 0},
#include "code/operation.def"
};

const Description& describe(Operation operation) {
  return kDescriptions[static_cast<std::size_t>(operation)];
}

}  // namespace

std::string_view name_of(Operation operation) {
  const std::string_view name = describe(operation).name;
  // and_, or_, xor_, not_ are keywords without their underscore.
  return name.back() == '_' ? name.substr(0, name.size() - 1) : name;
}

bool is_control(Operation operation) { return describe(operation).control; }

}  // namespace heddle::code
