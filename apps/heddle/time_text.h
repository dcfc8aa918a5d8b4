#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// Seconds since 1970 as a date and time in UTC: "2026-11-21T13:05:00Z".
std::string time_text(std::int64_t seconds);

}  // namespace heddle
