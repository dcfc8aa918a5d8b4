#include "workload/grid_shape.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::workload {

std::string_view name_of(GridShape shape) {
  return shape == GridShape::resident ? "resident" : "input";
}

GridShape parse_grid_shape(std::string_view text) {
  for (const GridShape shape : {GridShape::input, GridShape::resident}) {
    if (name_of(shape) == text) return shape;
  }
  throw InputError(fmt::format("there is no grid '{}'{}", text,
                               suggestion(std::string(text), {"input", "resident"})));
}

}  // namespace heddle::workload
