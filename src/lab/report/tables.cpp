#include "lab/report/tables.h"

#include <fmt/format.h>

#include "lab/claim_text.h"
#include "lab/report/labels.h"
#include "lab/report/markup.h"

namespace heddle::lab::report {
namespace {

std::string heading_cell(const std::string& content) {
  return element("th", {{"scope", "col"}}, text(content));
}
std::string number_heading(const std::string& content) {
  return element("th", {{"scope", "col"}, {"class", "figure"}}, text(content));
}
std::string row_heading(const std::string& content) {
  return element("th", {{"scope", "row"}}, text(content));
}
std::string number_cell(std::optional<double> value, bool relative) {
  return element("td", {{"class", "figure"}}, value ? text(figure_text(value, relative)) : "–");
}
std::string cell(const std::string& content) { return element("td", {}, text(content)); }
std::string code(const std::string& content) { return element("code", {}, text(content)); }

std::string table(const std::string& heading, const std::string& body) {
  return element("table", {},
                 element("thead", {}, element("tr", {}, heading)) + element("tbody", {}, body));
}

std::string space_separated(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, " "));
}

/// The settings with which a row was measured, if it has settings of its own.
std::string row_note(const StudyRow& row) {
  if (row.settings.empty()) return "";
  return " " + element("small", {}, code(space_separated(row.settings)));
}

std::string value_row(const Study& study, const StudyRow& row, bool is_mean) {
  std::string cells = is_mean ? row_heading(row.label)
                              : element("th", {{"scope", "row"}}, text(row.label) + row_note(row));
  if (!is_mean) cells += cell(row.size);
  if (is_mean) cells += cell("");
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const std::string& best = row.best[i];
    std::string content =
        row.values[i] ? text(figure_text(row.values[i], study.is_normalised())) : "–";
    if (!best.empty()) content += " " + element("small", {}, text(best));
    const std::string over_seeds = spread_text(row.spreads[i], study.is_normalised());
    if (!over_seeds.empty()) content += " " + element("small", {}, text(over_seeds));
    cells += element("td", {{"class", "figure"}}, content);
  }
  return element("tr", {{"class", is_mean ? "mean" : "row"}}, cells);
}

/// The parts of a verdict: "sign ✓, magnitude ✗".
std::string verdict_parts(const ClaimVerdict& verdict) {
  std::string parts;
  const auto add = [&](const char* name, std::optional<bool> holds) {
    if (!holds) return;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", name, *holds ? "✓" : "✗");
  };
  add("sign", verdict.sign_holds);
  add("order", verdict.order_holds);
  add("classes", verdict.classes_hold);
  add("magnitude", verdict.magnitude_holds);
  return parts.empty() ? "" : element("small", {}, text(parts));
}

/// The claim's variant, the variant that values are divided by, rows and tolerance.
std::string claim_scope(const Claim& claim) {
  std::string scope;
  const auto add = [&](const std::string& what) { scope += (scope.empty() ? "" : "; ") + what; };
  if (const std::string variant = variant_of(claim.kind); !variant.empty()) add(variant);
  if (!claim.relative_to.empty() && !std::holds_alternative<Order>(claim.kind)) {
    add(fmt::format("against {}", claim.relative_to));
  }
  const ClaimedRows rows = rows_of(claim.kind);
  if (!rows.workload.empty()) add(rows.workload);
  if (!rows.group.empty()) add(fmt::format("group {}", rows.group));
  if (const ReportedValue* const reported = reported_value(claim.kind);
      reported != nullptr && reported->tolerance) {
    add(fmt::format("within {}", figure_text(reported->tolerance, false)));
  }
  return scope.empty() ? "" : element("small", {}, text(scope));
}

std::string disagreements(const ClaimVerdict& verdict) {
  std::string rows;
  for (const ClassedRow& row : verdict.classed_rows) {
    if (!row.agrees()) rows += element("li", {}, text(disagreement_text(row)));
  }
  return rows.empty() ? "" : element("ul", {{"class", "disagreements"}}, rows);
}

std::string other_readings(const StudyClaim& study_claim) {
  std::string rows;
  for (const std::string& reading : readings_text(study_claim.claim, study_claim.judged)) {
    rows += element("li", {}, text(reading));
  }
  return rows.empty() ? "" : element("ul", {{"class", "readings"}}, rows);
}

/// How the runs deviate from the experiment's file; empty if they do not. Claims are then not
/// counted.
std::string deviation_text(const Study& study) {
  if (!study.has_sizes_of_claims) return "at another size";
  return study.settings.empty() ? "" : "on another machine";
}

}  // namespace

std::string scrolling(const std::string& name, const std::string& content) {
  // The tabindex makes the region scrollable by keyboard.
  return element(
      "div", {{"class", "scrolling"}, {"role", "region"}, {"aria-label", name}, {"tabindex", "0"}},
      content);
}

std::string value_table(const Study& study) {
  std::string heading = heading_cell("workload") + heading_cell("size");
  for (const std::string& column : study.columns) heading += number_heading(column);
  std::string body;
  for (const StudyRow& row : study.rows) body += value_row(study, row, false);
  for (const StudyRow& mean : study.means) body += value_row(study, mean, true);
  return scrolling("The numbers", table(heading, body));
}

std::string part_table(const Study& study) {
  if (study.parts.empty()) return "";
  std::string heading = heading_cell("workload") + heading_cell("variant");
  for (const auto& [name, metric] : study.parts) heading += number_heading(name);
  std::string body;
  const auto add = [&](const std::string& label, const StudyRow& row, bool is_mean) {
    for (std::size_t column = 0; column < study.columns.size(); ++column) {
      std::string cells = row_heading(label) + cell(study.columns[column]);
      for (const auto& part : row.parts[column]) cells += number_cell(part, false);
      body += element("tr", {{"class", is_mean ? "mean" : "row"}}, cells);
    }
  };
  for (const StudyRow& row : study.rows) add(row.label, row, false);
  for (const StudyRow& mean : study.means) add(mean_label(mean), mean, true);
  return scrolling("What the stacks are made of", table(heading, body));
}

std::string claim_cells(const Study& study, const StudyClaim& study_claim,
                        const std::string& note) {
  const auto& [claim, judged] = study_claim;
  const ClaimVerdict& verdict = judged.verdict;
  const std::string distance =
      verdict.distance ? element("small", {}, text(distance_text(claim, verdict))) : "";
  const std::string spread = spread_text(claim, judged);
  const std::string over_seeds =
      spread.empty() ? "" : element("small", {}, text(fmt::format("seeds: {}", spread)));
  // On a narrow screen, which shows cells below one another, the labels replace the heading.
  return element("td", {{"data-label", "reported"}}, text(reported_text(claim))) +
         element("td", {{"data-label", "measured"}},
                 text(measured_text(claim, verdict)) + over_seeds + distance + note) +
         element("td", {{"data-label", "verdict"}},
                 verdict_mark(study, judged) + verdict_parts(verdict));
}

std::string claim_table(const Study& study) {
  const std::string heading = heading_cell("claim") + heading_cell("reported") +
                              heading_cell("measured") + heading_cell("verdict");
  std::string body;
  for (const StudyClaim& study_claim : study.claims) {
    body += element(
        "tr", {},
        element("th", {{"scope", "row"}, {"class", "claim"}},
                code(study_claim.claim.id) + element("span", {}, text(study_claim.claim.text)) +
                    claim_scope(study_claim.claim)) +
            claim_cells(study, study_claim,
                        disagreements(study_claim.judged.verdict) + other_readings(study_claim)));
  }
  return scrolling("The claims", element("div", {{"class", "claims"}}, table(heading, body)));
}

std::string variant_table(const Study& study) {
  const std::string heading = heading_cell("variant") + heading_cell("machine") +
                              heading_cell("set") + heading_cell("differences");
  std::string body;
  for (const StudyVariant& variant : study.variants) {
    std::vector<std::string> differences;
    for (const auto& [name, value] : variant.parameters) {
      differences.push_back(fmt::format("{}={}", name, value));
    }
    const std::string which =
        variant.as_in.empty() ? "the best"
                              : fmt::format("the one at the place that {} shows,", variant.as_in);
    const std::string settings =
        variant.best_of.empty()
            ? code(space_separated(variant.settings))
            : text(fmt::format("{} of {} in each row", which, fmt::join(variant.best_of, ", ")));
    const std::string note = variant.is_hidden ? element("small", {}, "not shown") : "";
    body += element("tr", {},
                    element("th", {{"scope", "row"}}, text(variant.name) + " " + note) +
                        cell(variant.machine) + element("td", {}, settings) +
                        element("td", {}, code(space_separated(differences))));
  }
  return scrolling("The variants", table(heading, body));
}

std::string parameter_table(const Study& study) {
  std::string items;
  for (const auto& [name, value] : study.parameters) {
    items += element("div", {}, element("dt", {}, code(name)) + element("dd", {}, text(value)));
  }
  return element("dl", {{"class", "parameters"}}, items);
}

std::string verdict_mark(const Study& study, const JudgedClaim& judged) {
  const auto mark = [](const char* kind, const std::string& content) {
    return element("span", {{"class", std::string("verdict ") + kind}}, text(content));
  };
  if (!judged.verdict.is_judged()) return mark("open", "– not judged");
  const bool holds = judged.holds();
  if (const std::string deviation = deviation_text(study); !deviation.empty()) {
    return mark("open", (holds ? "✓ " : "✗ ") + deviation);
  }
  if (judged.depends_on_seed()) return mark("fails", "✗ " + seeds_text(judged));
  if (judged.holds_only_as_read()) return mark("holds", "✓ holds only as read here");
  return holds ? mark("holds", "✓ holds") : mark("fails", "✗ does not hold");
}

std::string claim_meter(const ClaimCount& count) {
  std::string bar;
  if (count.judged != 0) {
    const double share =
        100 * static_cast<double>(count.holding) / static_cast<double>(count.judged);
    bar = element("span", {{"class", "meter-bar"}, {"aria-hidden", "true"}},
                  element("span", {{"style", fmt::format("width:{}%", length(share))}}, ""));
  }
  const std::string summary = claims_text(count);
  return summary.empty() ? "" : element("span", {{"class", "meter"}}, bar + text(summary));
}

}  // namespace heddle::lab::report
