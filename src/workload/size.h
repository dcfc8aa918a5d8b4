#pragma once

#include <array>
#include <string_view>

namespace heddle::workload {

/// How much work a run is. `paper`: the size that a paper gives, where one does.
enum class Size { tiny, small, medium, large, paper };

inline constexpr std::array kSizes{Size::tiny, Size::small, Size::medium, Size::large, Size::paper};

std::string_view name_of(Size size);
/// Throws InputError for what is no size's name.
Size parse_size(std::string_view text);

}  // namespace heddle::workload
