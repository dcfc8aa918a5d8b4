#include "wrong_use.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
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

/// The message for an unknown option. `where` is the beginning of the message.
std::string unknown_option(const std::string& where, const std::string& name,
                           const CLI::App& verb) {
  return fmt::format("{}unknown option '{}'{}", where, name, suggestion(name, options_of(verb)));
}

/// The message for a missing or unknown verb, or for an unknown option before the verb.
std::string explain_without_verb(const CLI::App& app, int argc, const char* const* argv) {
  const std::string verbs = fmt::format("; choose one of: {}", fmt::join(verbs_of(app), ", "));
  if (argc < 2) return "a verb is missing" + verbs;
  if (is_option(argv[1])) return unknown_option("", argv[1], app);
  const std::string near = suggestion(argv[1], verbs_of(app));
  return fmt::format("unknown verb '{}'{}", argv[1], near.empty() ? verbs : near);
}

/// A hint for a verb that runs a program: the unknown option may be meant for the program. Empty
/// for other verbs.
std::string after_program(const CLI::App& verb) {
  const bool runs_program = verb.get_option_no_throw("program") != nullptr;
  return runs_program ? "; the program and its own options come after '--'" : "";
}

/// The message for arguments that no option accepts; empty if there are none.
std::string explain_extra(const std::string& called, const CLI::App& verb) {
  const std::vector<std::string> extra = verb.remaining();
  if (extra.empty()) return {};
  if (is_option(extra.front())) return unknown_option(called + ": ", extra.front(), verb);
  return fmt::format("{}: '{}' is one argument too many", called, extra.front());
}

}  // namespace

std::string explain_wrong_use(const CLI::App& app, int argc, const char* const* argv,
                              const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty() || is_option(argv[1])) return explain_without_verb(app, argc, argv);
  const CLI::App* verb = chosen.front();
  std::string called = verb->get_name();
  for (; !verb->get_subcommands().empty(); called += " " + verb->get_name()) {
    verb = verb->get_subcommands().front();
  }
  const std::vector<std::string> parts = verbs_of(*verb);
  if (!parts.empty() && argc > 2 && !is_option(argv[2])) {
    return fmt::format("{}: unknown action '{}'{}", called, argv[2], suggestion(argv[2], parts));
  }
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;
    const std::string name(argument.substr(0, argument.find('=')));
    if (!name.starts_with("--") || verb->get_option_no_throw(name) != nullptr) continue;
    return unknown_option(called + ": ", name, *verb) + after_program(*verb);
  }
  if (std::string why = explain_extra(called, *verb); !why.empty()) return why;
  return fmt::format("{}: {}", called, error.what());
}

}  // namespace heddle
