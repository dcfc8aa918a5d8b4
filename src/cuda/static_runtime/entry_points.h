#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::cuda {

/// Where our function of CUDA's runtime of that name is.
std::optional<std::uint64_t> entry_point(std::string_view name);

}  // namespace heddle::cuda
