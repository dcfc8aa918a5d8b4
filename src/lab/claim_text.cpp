#include "lab/claim_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::lab {
namespace {

/// In tenths of a per cent, of which no number is a negative zero.
double per_cent(double value) { return std::round(1000 * value) / 10 + 0.0; }

std::string claimed(Claim::Kind kind, std::optional<double> value) {
  if (!value) return "-";
  switch (kind) {
    case Claim::Kind::gain:
    case Claim::Kind::saving:
      return fmt::format("{:+.1f} %", per_cent(*value));
    case Claim::Kind::share:
      return fmt::format("{:.1f} %", per_cent(*value));
    default:
      return figure_text(value, false);
  }
}

}  // namespace

std::string figure_text(std::optional<double> value, bool relative) {
  if (!value) return "-";
  if (relative) return fmt::format("{:.3f}", *value);
  return std::abs(*value) >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.4g}", *value);
}

std::string reported_text(const Claim& claim) {
  if (claim.kind == Claim::Kind::order) return fmt::format("{}", fmt::join(claim.order, " < "));
  if (claim.kind == Claim::Kind::classes) {
    return fmt::format("{} in classes", claim.expected.size());
  }
  return claimed(claim.kind, claim.value);
}

std::string measured_text(const Claim& claim, const ClaimVerdict& verdict) {
  if (claim.kind == Claim::Kind::classes) {
    const auto agree = std::count_if(verdict.classed.begin(), verdict.classed.end(),
                                     [](const ClassedRow& row) { return row.agrees(); });
    return fmt::format("{} of {} agree", agree, verdict.classed.size());
  }
  if (claim.kind != Claim::Kind::order) return claimed(claim.kind, verdict.measured);
  std::string text;
  for (const auto& value : verdict.in_order) {
    text += (text.empty() ? "" : ", ") + figure_text(value, false);
  }
  return text;
}

std::string disagreement_text(const ClassedRow& row) {
  if (!row.value) return fmt::format("{}: not measured, reported {}", row.row, row.expected);
  return fmt::format("{}: {} ({}), reported {}", row.row, row.measured,
                     figure_text(row.value, false), row.expected);
}

}  // namespace heddle::lab
