#include "lab/chart.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::lab {

std::string_view name_of(Chart::Kind kind) {
  switch (kind) {
    case Chart::Kind::bars:
      return "bars";
    case Chart::Kind::lines:
      return "lines";
    case Chart::Kind::stacked:
      return "stacked";
  }
  return "";
}

Chart::Kind parse_chart_kind(std::string_view text) {
  std::vector<std::string> names;
  for (const Chart::Kind kind : {Chart::Kind::bars, Chart::Kind::lines, Chart::Kind::stacked}) {
    if (name_of(kind) == text) return kind;
    names.emplace_back(name_of(kind));
  }
  throw InputError(fmt::format("unknown kind of chart '{}'{}", text, suggestion(text, names)));
}

}  // namespace heddle::lab
