#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::cuda {

/// The address of Heddle's replacement for the CUDA runtime function `name`; empty if Heddle has no
/// function of that name.
std::optional<std::uint64_t> entry_point(std::string_view name);

}  // namespace heddle::cuda
