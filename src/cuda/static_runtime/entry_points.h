#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::cuda {

/// The address of Heddle's implementation of a function of CUDA's runtime; nothing if there is
/// none.
std::optional<std::uint64_t> entry_point(std::string_view name);

}  // namespace heddle::cuda
