#include "lab/claim.h"

#include <fmt/format.h>

#include <array>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::lab {
namespace {

/// In the order of ClaimKind's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<ClaimKind>> kNames{
    "gain", "saving", "share", "figure", "order", "classes"};

template <std::size_t Index = 0>
ClaimKind make_kind(std::size_t index) {
  if constexpr (Index + 1 < std::variant_size_v<ClaimKind>) {
    if (index != Index) return make_kind<Index + 1>(index);
  }
  return ClaimKind(std::in_place_index<Index>);
}

}  // namespace

std::string_view name_of(const ClaimKind& kind) { return kNames.at(kind.index()); }

ClaimKind parse_claim_kind(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return make_kind(i);
  }
  throw InputError(fmt::format("unknown kind of claim '{}'{}", text,
                               suggestion(text, {kNames.begin(), kNames.end()})));
}

bool is_gain_or_saving(const ClaimKind& kind) {
  return std::holds_alternative<Gain>(kind) || std::holds_alternative<Saving>(kind);
}

const ReportedValue* reported_value(const ClaimKind& kind) {
  return std::visit(
      [](const auto& alternative) -> const ReportedValue* {
        if constexpr (std::is_base_of_v<ReportedValue, std::decay_t<decltype(alternative)>>)
          return &alternative;
        return nullptr;
      },
      kind);
}

ReportedValue* reported_value(ClaimKind& kind) {
  return const_cast<ReportedValue*>(reported_value(std::as_const(kind)));
}

std::string variant_of(const ClaimKind& kind) {
  if (const ReportedValue* const reported = reported_value(kind)) return reported->variant;
  const Classes* const classes = std::get_if<Classes>(&kind);
  return classes != nullptr ? classes->variant : "";
}

ClaimedRows rows_of(const ClaimKind& kind) {
  if (const ReportedValue* const reported = reported_value(kind)) return reported->rows;
  const Order* const order = std::get_if<Order>(&kind);
  return order != nullptr ? order->rows : ClaimedRows{};
}

}  // namespace heddle::lab
