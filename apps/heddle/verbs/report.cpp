#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/quantity.h"
#include "lab/report/natural_order.h"
#include "lab/report/page.h"
#include "option_values.h"
#include "print.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

struct ReportOptions {
  std::string folder;
  std::string output;
};

/// The .json files of a folder, in natural order (figure-9 before figure-10). Throws InputError if
/// there are none.
std::vector<std::filesystem::path> results_in(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(fmt::format("cannot read {}: it is not a folder", folder));
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (files.empty()) {
    throw InputError(fmt::format(
        "{} has no results: no file ends in .json; write some with 'heddle experiment NAME -o {}'",
        folder, folder));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return lab::report::comes_before(a.filename().string(), b.filename().string());
  });
  return files;
}

void write_reports(const ReportOptions& options) {
  std::vector<lab::report::Study> studies;
  for (const std::filesystem::path& file : results_in(options.folder)) {
    studies.push_back(lab::report::read_study(read_file(file.string()), file.string()));
  }
  OutputFile(options.output).write(lab::report::page(studies));
  if (options.output == "-") return;
  lab::report::ClaimCount claims;
  for (const lab::report::Study& study : studies) claims += study.count_claims();
  const std::string text = claims_text(claims);
  print("{}: {}{}{}\n", options.output, count_text(studies.size(), "experiment"),
        text.empty() ? "" : ", ", text);
}

}  // namespace

void add_report(CLI::App& app, ExitCode&) {
  CLI::App* verb =
      app.add_subcommand("report", "Write the results of experiments as an HTML page with charts");
  auto options = std::make_shared<ReportOptions>();
  options->output = "report.html";
  verb->add_option("folder", options->folder, "The folder that 'heddle experiment -o' wrote to")
      ->required()
      ->type_name("DIR")
      ->check(file_name());
  verb->add_option("-o", options->output, "The file of the page; '-' for standard output")
      ->capture_default_str()
      ->type_name("FILE")
      ->check(file_name());
  verb->footer(
      "The page is a single HTML file without scripts and external resources. It shows every\n"
      "result (.json) in the folder.\n\n"
      "Examples: heddle experiment schedulers --size tiny -o results && heddle report results\n"
      "          heddle experiment all -o results && heddle report results -o report.html");
  verb->callback([options] { write_reports(*options); });
}

}  // namespace heddle
