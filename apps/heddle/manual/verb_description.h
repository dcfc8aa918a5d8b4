#pragma once

// What the command line declares about its verbs, as plain data. Manual pages and completions are
// made from it.

#include <string>
#include <vector>

#include "cli_app.h"

namespace heddle {

struct OptionDescription {
  std::vector<std::string> names;  ///< "-o", "--json"; of a positional argument its name
  std::string value;               ///< what follows it, such as "FILE|-"; empty for a flag
  std::string default_value;       ///< empty if there is none
  std::string text;
  bool required = false;
};

struct VerbDescription {
  std::string path;  ///< "heddle", "heddle run", "heddle results list"
  std::string text;
  std::string footer;
  std::vector<OptionDescription> positionals;
  std::vector<OptionDescription> options;
  std::vector<VerbDescription> verbs;

  /// The last word of the path: "list" of "heddle results list".
  std::string word() const { return path.substr(path.rfind(' ') + 1); }
};

/// Describes `app` and its verbs.
VerbDescription describe_verbs(const CLI::App& app);

/// Calls `visit` for `verb` and the verbs below it.
template <class Visit>
void for_each_verb(const VerbDescription& verb, const Visit& visit) {
  visit(verb);
  for (const VerbDescription& below : verb.verbs) for_each_verb(below, visit);
}

}  // namespace heddle
