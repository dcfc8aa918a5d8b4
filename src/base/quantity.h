#pragma once

// Text for counts and sizes.

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

/// A count with its noun: "1 bank", "4 banks".
inline std::string count_text(std::uint64_t count, std::string_view what) {
  std::string text = std::to_string(count) + " " + std::string(what);
  if (count != 1) text += "s";
  return text;
}

/// A size in bytes: "96 B", "16 KB", "2 MB". Uses the largest unit that gives a whole number; 1 KB
/// is 1024 B.
inline std::string bytes_text(std::uint64_t count) {
  constexpr std::uint64_t kKilo = 1024;
  if (count >= kKilo * kKilo && count % (kKilo * kKilo) == 0) {
    return std::to_string(count / (kKilo * kKilo)) + " MB";
  }
  if (count >= kKilo && count % kKilo == 0) return std::to_string(count / kKilo) + " KB";
  return std::to_string(count) + " B";
}

}  // namespace heddle
