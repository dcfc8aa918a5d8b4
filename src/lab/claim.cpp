#include "lab/claim.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::lab {

std::string_view name_of(Claim::Kind kind) {
  switch (kind) {
    case Claim::Kind::gain:
      return "gain";
    case Claim::Kind::saving:
      return "saving";
    case Claim::Kind::share:
      return "share";
    case Claim::Kind::figure:
      return "figure";
    case Claim::Kind::order:
      return "order";
    case Claim::Kind::classes:
      return "classes";
  }
  return "";
}

Claim::Kind parse_claim_kind(std::string_view text) {
  using Kind = Claim::Kind;
  std::vector<std::string> names;
  for (const Kind kind :
       {Kind::gain, Kind::saving, Kind::share, Kind::figure, Kind::order, Kind::classes}) {
    if (name_of(kind) == text) return kind;
    names.emplace_back(name_of(kind));
  }
  throw InputError(fmt::format("there is no kind of claim '{}'{}", text, suggestion(text, names)));
}

}  // namespace heddle::lab
