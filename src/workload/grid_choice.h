#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::workload {

/// The number of threads over which a program's work is distributed.
enum class GridChoice : std::uint8_t {
  input,    ///< One for each element of work, as in most CUDA programs.
  resident  ///< As many as the GPU holds at once; each thread loops over the input.
};

std::string_view name_of(GridChoice choice);
/// Throws InputError for an unknown name.
GridChoice parse_grid_choice(std::string_view text);

}  // namespace heddle::workload
