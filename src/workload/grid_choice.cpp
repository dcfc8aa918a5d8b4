#include "workload/grid_choice.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::workload {

std::string_view name_of(GridChoice choice) {
  return choice == GridChoice::resident ? "resident" : "input";
}

GridChoice parse_grid_choice(std::string_view text) {
  for (const GridChoice choice : {GridChoice::input, GridChoice::resident}) {
    if (name_of(choice) == text) return choice;
  }
  throw InputError(fmt::format("unknown grid '{}'{}", text,
                               suggestion(std::string(text), {"input", "resident"})));
}

}  // namespace heddle::workload
