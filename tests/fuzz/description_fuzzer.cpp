// Fuzzes machine descriptions and settings (--set): any text is either accepted or rejected.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "config/declarations.h"
#include "config/description_file.h"
#include "config/set_parameter.h"

namespace {

struct Part {
  std::uint32_t ways = 4;
  std::uint64_t bytes = 1024;
  void declare(heddle::config::Declarations& parameters) {
    parameters.number("ways", ways, {.least = 1, .most = 64}, "a whole number");
    parameters.number("bytes", bytes, {.unit = "B", .least = 1, .most = 1e12}, "bytes");
  }
};

struct Machine {
  double clock = 1;
  bool flag = false;
  std::string policy = "a";
  Part part;
  void declare(heddle::config::Declarations& parameters) {
    parameters.number("clock", clock, {.least = 0.5, .most = 1e4}, "a real number");
    parameters.flag("flag", flag, "yes or no");
    parameters.choice("policy", policy, {"a", "b"}, "one of two");
    parameters.part("part", part);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  Machine machine;
  heddle::config::Declarations declarations;
  machine.declare(declarations);
  try {
    const heddle::config::DescriptionFile file(text, "fuzz.toml");
    file.heading();
    file.read(declarations);
  } catch (const heddle::InputError&) {
  }
  Part group;
  heddle::config::Declarations group_parameters;
  group_parameters.part("group.a", group);
  try {
    const heddle::config::DescriptionFile file(text, "fuzz.toml");
    file.group_names();
    file.read_groups(group_parameters);
  } catch (const heddle::InputError&) {
  }
  try {
    heddle::config::set_parameter(declarations, text);
  } catch (const heddle::InputError&) {
  }
  // Accepted values must be within their ranges.
  if (!(machine.clock >= 0.5 && machine.clock <= 1e4) || machine.part.ways < 1 ||
      machine.part.ways > 64 || machine.part.bytes < 1 || group.ways < 1 || group.ways > 64) {
    __builtin_trap();
  }
  return 0;
}
