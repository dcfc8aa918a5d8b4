#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/nearest.h"
#include "base/output_file.h"
#include "manual/manual_page.h"
#include "option_values.h"
#include "print.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

struct ManualOptions {
  std::vector<std::string> verb;
  std::string folder;
};

void write_pages(const VerbDescription& heddle, const std::filesystem::path& folder) {
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    OutputFile((folder / (page_name(verb) + ".1")).string()).write(manual_page(verb));
  });
}

void print_page(const VerbDescription& heddle, const std::vector<std::string>& words) {
  const std::string wanted =
      words.empty() ? heddle.path : fmt::format("{} {}", heddle.path, fmt::join(words, " "));
  std::vector<std::string> paths;
  const VerbDescription* found = nullptr;
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    if (verb.path == wanted) found = &verb;
    paths.push_back(verb.path);
  });
  if (found == nullptr) {
    throw InputError(fmt::format("there is no '{}'{}", wanted, suggestion(wanted, paths)));
  }
  print("{}", manual_page(*found));
}

}  // namespace

void add_manual(CLI::App& app, ExitCode&) {
  CLI::App* verb = app.add_subcommand("manual", "Print a manual page, or write all of them");
  auto options = std::make_shared<ManualOptions>();
  verb->add_option("verb", options->verb,
                   "The verb that the page describes; without it: heddle itself")
      ->type_name("VERB");
  verb->add_option("--folder", options->folder, "Write the pages of all verbs to this folder")
      ->type_name("DIR")
      ->check(file_name());
  verb->footer(
      "Examples: heddle manual run | man -l -\n"
      "          heddle manual --folder ~/.local/share/man/man1");
  verb->callback([options, &app] {
    if (options->folder.empty()) {
      print_page(describe_verbs(app), options->verb);
    } else if (options->verb.empty()) {
      write_pages(describe_verbs(app), options->folder);
    } else {
      throw InputError("--folder: writes the pages of all verbs; leave the verb out");
    }
  });
}

}  // namespace heddle
