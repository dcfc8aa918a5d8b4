#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::workload {

/// Over how many threads a program's work is laid out.
enum class GridShape : std::uint8_t {
  input,    ///< As many as the input asks for, as CUDA programs do it.
  resident  ///< As many as the GPU holds at once: each goes on with more of the input.
};

std::string_view name_of(GridShape shape);
/// Throws InputError for what is no shape's name.
GridShape parse_grid_shape(std::string_view text);

}  // namespace heddle::workload
