#include "lab/run_key.h"

#include <fmt/format.h>

#include "lab/sha256.h"

namespace heddle::lab {

std::string parameters_of(gpu::Machine machine) {
  config::Declarations parameters;
  machine.declare(parameters);
  std::string text;
  for (const config::Parameter& parameter : parameters.all()) {
    text += fmt::format("{} = {}\n", parameter.name, parameter.value());
  }
  return text;
}

std::string run_key(const RunInput& input) {
  return sha256(fmt::format(
      "heddle {}\nworkload {}\nptx {}\nsize {}\nseed {}\nregisters {}\ngrid {}\nmachine\n{}",
      input.version, input.workload, sha256(input.ptx), workload::name_of(input.size), input.seed,
      name_of(input.registers), workload::name_of(input.grid), input.parameters));
}

std::string_view short_key(std::string_view key) {
  constexpr std::size_t kShownDigits = 12;
  return key.substr(0, kShownDigits);
}

}  // namespace heddle::lab
