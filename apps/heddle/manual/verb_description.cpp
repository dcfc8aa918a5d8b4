#include "manual/verb_description.h"

#include <CLI/CLI.hpp>

namespace heddle {
namespace {

OptionDescription describe(const CLI::Option& option) {
  OptionDescription description;
  if (option.nonpositional()) {
    for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
  } else {
    description.names.push_back(option.get_name(true));
  }
  if (option.get_type_size_max() != 0) description.value = option.get_type_name();
  description.default_value = option.get_default_str();
  description.text = option.get_description();
  description.required = option.get_required();
  return description;
}

VerbDescription describe(const CLI::App& app, const std::string& path) {
  VerbDescription verb{path, app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    (option->nonpositional() ? verb.options : verb.positionals).push_back(describe(*option));
  }
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    verb.verbs.push_back(describe(*below, path + " " + below->get_name()));
  }
  return verb;
}

}  // namespace

VerbDescription describe_verbs(const CLI::App& app) { return describe(app, app.get_name()); }

}  // namespace heddle
