#include "lab/report/section.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/report/draw.h"
#include "lab/report/markup.h"
#include "lab/report/tables.h"

namespace heddle::lab::report {
namespace {

std::string source_text(const Study& study) {
  if (study.paper.empty()) return "A study of our own";
  return study.figure.empty() ? study.paper : fmt::format("{}, {}", study.paper, study.figure);
}

std::string collapsible(const std::string& summary, const std::string& content) {
  return element("details", {}, element("summary", {}, text(summary)) + content);
}

/// The chart's legend, and a note for stacks.
std::string caption(const Study& study) {
  std::string note;
  if (study.chart.kind == Chart::Kind::stacked) {
    note = study.columns.size() > 1 ? "Each workload has a stack for each variant, by its number."
                                    : fmt::format("Variant: {}.", study.columns.front());
  }
  return element("figcaption", {},
                 draw_legend(study) + (note.empty() ? "" : element("p", {}, text(note))));
}

std::string picture(const Study& study) {
  const std::string drawn = draw(study);
  if (drawn.empty()) {
    return element("p", {{"class", "nothing"}}, "Nothing was measured, so there is no chart.");
  }
  return element("figure", {}, scrolling("The chart", drawn) + caption(study));
}

/// The distinct workload sizes of the rows.
std::string sizes_text(const Study& study) {
  std::vector<std::string> names;
  for (const StudyRow& row : study.rows) {
    if (!row.size.empty() && std::find(names.begin(), names.end(), row.size) == names.end()) {
      names.push_back(row.size);
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The list of facts about the runs below the tables.
std::string facts(const Study& study) {
  std::string items;
  const auto add = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    items += element("div", {}, element("dt", {}, name) + element("dd", {}, text(value)));
  };
  add("metric", study.metric);
  add("relative to", study.normalised_to);
  add("size", sizes_text(study));
  const bool has_several_seeds = !study.seeds.empty() && study.seeds != "1";
  add("seed", has_several_seeds
                  ? fmt::format("{} and those after it, {} in all", study.seed, study.seeds)
                  : study.seed);
  add("changed", fmt::format("{}", fmt::join(study.settings, " ")));
  add("without", fmt::format("{}", fmt::join(study.missing, ", ")));
  add("simulated", study.simulated_at);
  add("Heddle", study.sources.empty()
                    ? study.version
                    : fmt::format("{} ({})", study.version, study.sources.substr(0, 12)));
  return element("dl", {{"class", "facts"}}, items);
}

std::string command(const Study& study) {
  if (study.command.empty()) return "";
  return element("p", {{"class", "repeat"}},
                 "To reproduce: " + element("code", {}, text(study.command)));
}

}  // namespace

std::string section(const Study& study, const std::string& id) {
  std::string content =
      element("h2", {{"id", id + "-title"}}, text(study.title)) +
      element("p", {{"class", "source"}},
              text(source_text(study)) + " · " + element("code", {}, text(study.name)));
  content += claim_meter(study.count_claims());
  content += picture(study);
  if (!study.claims.empty()) content += element("h3", {}, "Claims") + claim_table(study);
  content += element("h3", {}, "Numbers and machine");
  content += collapsible("The numbers", value_table(study));
  if (!study.parts.empty())
    content += collapsible("What the stacks are made of", part_table(study));
  content += collapsible("The variants", variant_table(study));
  if (!study.parameters.empty()) {
    content += collapsible(fmt::format("The machine: {} parameters that all runs have in common",
                                       study.parameters.size()),
                           parameter_table(study));
  }
  return element("section", {{"class", "study"}, {"id", id}, {"aria-labelledby", id + "-title"}},
                 content + facts(study) + command(study));
}

}  // namespace heddle::lab::report
