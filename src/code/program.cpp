#include "code/program.h"

#include <algorithm>

namespace heddle::code {

const FunctionInfo* Program::find_kernel(const std::string& name) const {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const FunctionInfo& f) {
    return f.is_kernel && f.name == name;
  });
  return found != functions.end() ? &*found : nullptr;
}

const FunctionInfo* Program::function_at(std::uint32_t program_counter) const {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const FunctionInfo& f) {
    return f.entry <= program_counter && program_counter < f.end;
  });
  return found != functions.end() ? &*found : nullptr;
}

}  // namespace heddle::code
