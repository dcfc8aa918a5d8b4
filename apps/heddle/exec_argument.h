#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// The value of one --arg of `heddle exec`: a scalar, or a buffer. A buffer is allocated in device
/// memory, and the kernel gets its address.
struct ExecArgument {
  std::vector<std::byte> scalar;  ///< The scalar's bytes; empty for a buffer.
  std::string buffer;             ///< The buffer's name; empty for a scalar.
  std::uint64_t bytes = 0;        ///< The size of a zeroed buffer; 0 if a file fills it.
  std::string file;               ///< The file that fills the buffer; empty: the buffer is zeroed.
  bool is_buffer() const { return !buffer.empty(); }
};

/// Parses TYPE:VALUE, buf:NAME:BYTES or buf:NAME:@FILE. Throws InputError.
ExecArgument parse_exec_argument(const std::string& text);

/// Parses a number of bytes: decimal or hexadecimal (0x), with an optional suffix K, M or G (powers
/// of 1024). Throws InputError for any other text; its message begins with `what`.
std::uint64_t parse_bytes(const std::string& what, const std::string& text);

/// The extents that a text "X", "X,Y" or "X,Y,Z" states; 1 for those that it leaves out.
struct ExtentText {
  std::uint32_t x = 1, y = 1, z = 1;
};
/// Throws InputError for any other text; its message begins with `what`.
ExtentText parse_extent(const std::string& what, const std::string& text);

}  // namespace heddle
