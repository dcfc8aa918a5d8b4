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
  std::string text = fmt::format(
      "heddle {}\nworkload {}\nptx {}\nsize {}\nseed {}\nregisters {}\ngrid {}\nmachine\n{}",
      input.version, input.workload, sha256(input.ptx), workload::name_of(input.size), input.seed,
      name_of(input.registers), workload::name_of(input.grid), input.parameters);
  for (const std::string& machine : input.parameters_alone) text += "alone on\n" + machine;
  return sha256(text);
}

std::string_view short_key(std::string_view key) {
  constexpr std::size_t kShownDigits = 12;
  return key.substr(0, kShownDigits);
}

}  // namespace heddle::lab
