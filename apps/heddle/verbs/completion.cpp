#include "manual/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.h"
#include "print.h"
#include "verbs/verbs.h"

namespace heddle {

void add_completion(CLI::App& app, ExitCode&) {
  CLI::App* verb =
      app.add_subcommand("completion", "Print a script that completes commands in bash or zsh");
  auto shell = std::make_shared<std::string>();
  verb->add_option("shell", *shell, "The shell")->required()->type_name("bash|zsh");
  verb->footer(
      "The script completes verbs, options, and the names of workloads, machines, experiments and\n"
      "parameters. './dev install' and the Debian package install it.\n\n"
      "Examples: source <(heddle completion bash)\n"
      "          heddle completion zsh > ~/.zfunc/_heddle");
  verb->callback([shell, &app] {
    if (*shell == "bash") {
      print("{}", bash_completion(describe_verbs(app)));
    } else if (*shell == "zsh") {
      print("{}", zsh_completion(describe_verbs(app)));
    } else {
      throw InputError(fmt::format("there is no completion for '{}'; choose bash or zsh", *shell));
    }
  });
}

}  // namespace heddle
