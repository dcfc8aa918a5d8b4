#include "wrong_use.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/nearest.h"

namespace heddle {
namespace {

bool is_option(std::string_view argument) {
  return argument.starts_with("-") && argument != "-" && argument != "--";
}

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string explain_wrong_use(const CLI::App& app, int argc, const char* const* argv,
                              const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) {
    if (argc < 2 || is_option(argv[1])) return error.what();
    return fmt::format("there is no verb '{}'{}", argv[1], suggestion(argv[1], verbs_of(app)));
  }
  if (is_option(argv[1])) return error.what();
  const CLI::App* verb = chosen.front();
  std::string called = verb->get_name();
  for (; !verb->get_subcommands().empty(); called += " " + verb->get_name()) {
    verb = verb->get_subcommands().front();
  }
  const std::vector<std::string> parts = verbs_of(*verb);
  if (!parts.empty() && argc > 2 && !is_option(argv[2])) {
    return fmt::format("{}: there is no '{}'{}", called, argv[2], suggestion(argv[2], parts));
  }
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;
    const std::string name(argument.substr(0, argument.find('=')));
    if (!name.starts_with("--") || verb->get_option_no_throw(name) != nullptr) continue;
    return fmt::format("{}: there is no option '{}'{}", called, name,
                       suggestion(name, options_of(*verb)));
  }
  return fmt::format("{}: {}", called, error.what());
}

}  // namespace heddle
