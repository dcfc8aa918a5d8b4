#pragma once

#include <array>
#include <string_view>

namespace heddle::workload {

/// The amount of work in a run. `paper` is the size that a paper states; not all workloads have it.
enum class Size { tiny, small, medium, large, paper };

inline constexpr std::array kSizes{Size::tiny, Size::small, Size::medium, Size::large, Size::paper};

std::string_view name_of(Size size);
/// Throws InputError for an unknown name.
Size parse_size(std::string_view text);

}  // namespace heddle::workload
