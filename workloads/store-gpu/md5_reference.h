#pragma once

// MD5 as RFC 1321 describes it, byte by byte.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::workload {

/// The four words of a digest, lowest byte first.
using Md5Digest = std::array<std::uint32_t, 4>;

Md5Digest md5(std::span<const std::uint8_t> message);
/// The digest in 32 hexadecimal digits.
std::string to_text(const Md5Digest& digest);

/// An example of the test suite in the RFC's appendix.
struct Md5Example {
  std::string_view message;
  std::string_view digest;
};
const std::vector<Md5Example>& md5_examples();

}  // namespace heddle::workload
