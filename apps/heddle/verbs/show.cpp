#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "gpu/check_constructible.h"
#include "machine_diagram.h"
#include "print.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

struct ShowOptions {
  std::string machine;
  std::vector<std::string> settings;
};

}  // namespace

void add_show(CLI::App& app, ExitCode&) {
  CLI::App* verb = app.add_subcommand("show", "Draw a machine with its parameters");
  auto options = std::make_shared<ShowOptions>();
  verb->add_option("machine", options->machine,
                   "A machine of 'heddle list machines', or a description file")
      ->required()
      ->type_name("NAME|FILE.toml");
  verb->add_option(
          "--set", options->settings,
          "Change a parameter of the machine, see 'heddle list parameters'; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->footer(
      "Examples: heddle show warpman\n"
      "          heddle show preexec --set l1.bytes=64K");
  verb->callback([options] {
    const gpu::Machine machine = gpu::load_machine(options->machine, options->settings);
    gpu::check_constructible(machine);
    print("{}", draw_machine(machine));
  });
}

}  // namespace heddle
