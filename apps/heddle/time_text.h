#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// "2026-11-21T13:05:00Z", of seconds since 1970.
std::string time_text(std::int64_t seconds);

}  // namespace heddle
