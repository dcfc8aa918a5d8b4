#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "gpu/refuse_impossible.h"
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
  CLI::App* verb = app.add_subcommand("show", "Draw a machine with its numbers");
  auto options = std::make_shared<ShowOptions>();
  verb->add_option("machine", options->machine,
                   "One that 'heddle list machines' shows, or the file of a description")
      ->required()
      ->type_name("NAME|FILE.toml");
  verb->add_option("--set", options->settings,
                   "Change a parameter of the machine; 'heddle list parameters' shows all; may be "
                   "repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->footer("Example: heddle show preexec --set l1.bytes=64K");
  verb->callback([options] {
    const gpu::Machine machine = gpu::load_machine(options->machine, options->settings);
    gpu::refuse_impossible(machine);
    print("{}", draw_machine(machine));
  });
}

}  // namespace heddle
