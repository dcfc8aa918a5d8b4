#include "lab/claim_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::lab {
namespace {

/// A fraction in per cent, rounded to a tenth. Adding 0.0 turns a negative zero into a positive
/// one.
double per_cent(double value) { return std::round(1000 * value) / 10 + 0.0; }

std::string value_text(const ClaimKind& kind, std::optional<double> value) {
  if (!value) return "-";
  if (is_gain_or_saving(kind)) return fmt::format("{:+.1f} %", per_cent(*value));
  if (std::holds_alternative<Share>(kind)) return fmt::format("{:.1f} %", per_cent(*value));
  return figure_text(value, false);
}

/// Empty if the two texts are equal.
std::string range_text(const std::string& least, const std::string& most) {
  return least == most ? "" : fmt::format("{} to {}", least, most);
}

}  // namespace

std::string figure_text(std::optional<double> value, bool relative) {
  if (!value) return "-";
  if (relative) return fmt::format("{:.3f}", *value);
  return std::abs(*value) >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.4g}", *value);
}

std::string reported_text(const Claim& claim) {
  if (const Order* const order = std::get_if<Order>(&claim.kind)) {
    return fmt::format("{}", fmt::join(order->variants, " < "));
  }
  if (const Classes* const classes = std::get_if<Classes>(&claim.kind)) {
    return fmt::format("{} in classes", classes->expected.size());
  }
  const ReportedValue& reported = *reported_value(claim.kind);
  const auto text = [&](double value) { return value_text(claim.kind, value); };
  if (reported.is_single()) return text(reported.least);
  if (std::isinf(reported.most)) return fmt::format("at least {}", text(reported.least));
  if (std::isinf(reported.least)) return fmt::format("at most {}", text(reported.most));
  return fmt::format("{} to {}", text(reported.least), text(reported.most));
}

std::string measured_text(const Claim& claim, const ClaimVerdict& verdict) {
  if (std::holds_alternative<Classes>(claim.kind)) {
    const auto agree = std::count_if(verdict.classed_rows.begin(), verdict.classed_rows.end(),
                                     [](const ClassedRow& row) { return row.agrees(); });
    return fmt::format("{} of {} agree", agree, verdict.classed_rows.size());
  }
  if (!std::holds_alternative<Order>(claim.kind)) return value_text(claim.kind, verdict.measured);
  std::string text;
  for (const auto& value : verdict.ordered_values) {
    text += (text.empty() ? "" : ", ") + figure_text(value, false);
  }
  return text;
}

std::string distance_text(const Claim& claim, const ClaimVerdict& verdict) {
  if (!verdict.distance) return "-";
  const double percentage = per_cent(*verdict.distance);
  if (std::holds_alternative<Classes>(claim.kind)) return fmt::format("{:.0f} %", percentage);
  const bool is_in_points =
      is_gain_or_saving(claim.kind) || std::holds_alternative<Share>(claim.kind);
  return fmt::format("{:+.1f} {}", percentage, is_in_points ? "points" : "%");
}

std::string disagreement_text(const ClassedRow& row) {
  if (!row.value) return fmt::format("{}: not measured, reported {}", row.row, row.expected);
  return fmt::format("{}: {} ({}), reported {}", row.row, row.measured,
                     figure_text(row.value, false), row.expected);
}

std::string spread_text(const std::optional<Spread>& spread, bool relative) {
  if (!spread) return "";
  return range_text(figure_text(spread->least, relative), figure_text(spread->most, relative));
}

std::string spread_text(const Claim& claim, const JudgedClaim& judged) {
  const std::optional<Spread> spread = judged.spread();
  if (!spread) return "";
  const auto text = [&](double value) {
    if (reported_value(claim.kind) != nullptr) return value_text(claim.kind, value);
    return distance_text(claim, {.distance = value});
  };
  return range_text(text(spread->least), text(spread->most));
}

std::string seeds_text(const JudgedClaim& judged) {
  if (!judged.depends_on_seed()) return "";
  return fmt::format("holds for {} of {} seeds", judged.holding_seeds(), judged.by_seed.size());
}

std::vector<std::string> readings_text(const Claim& claim, const JudgedClaim& judged,
                                       Readings readings) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < judged.readings.size(); ++i) {
    const Claim& reading = claim.readings[i];
    const JudgedClaim& other = judged.readings[i];
    const bool has_same_verdict = other.holds() == judged.holds();
    if (has_same_verdict && other.verdict.is_judged() &&
        readings == Readings::with_another_verdict) {
      continue;
    }
    const char* const verb = !other.verdict.is_judged() ? "was not measured"
                             : other.holds() ? (has_same_verdict ? "also holds" : "would hold")
                                             : "does not hold";
    texts.push_back(fmt::format("{} as {}{} ({})", verb, reading.text,
                                has_same_verdict && !other.holds() ? " either" : "",
                                measured_text(reading, other.verdict)));
  }
  return texts;
}

std::vector<std::string> notes_of(const Claim& claim, const JudgedClaim& judged,
                                  Readings readings) {
  std::vector<std::string> notes;
  if (judged.depends_on_seed()) notes.push_back(seeds_text(judged));
  if (judged.holds() && judged.verdict.is_rough) {
    notes.emplace_back("differs by more than a quarter");
  }
  if (judged.holds_only_as_read()) notes.emplace_back("holds only as it is read here");
  for (std::string& text : readings_text(claim, judged, readings)) notes.push_back(std::move(text));
  return notes;
}

}  // namespace heddle::lab
