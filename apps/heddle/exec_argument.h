#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// One --arg of `heddle exec`: the bytes of a scalar, or a buffer to allocate, whose address is
/// passed.
struct ExecArgument {
  std::vector<std::byte> scalar;  ///< Empty for a buffer.
  std::string buffer;             ///< Its name; empty for a scalar.
  std::uint64_t bytes = 0;        ///< The size of a zeroed buffer.
  std::string file;               ///< The file that fills the buffer; empty: the buffer is zeroed.
  bool is_buffer() const { return !buffer.empty(); }
};

/// Reads TYPE:VALUE, buf:NAME:BYTES or buf:NAME:@FILE. Throws InputError.
ExecArgument parse_exec_argument(const std::string& text);

/// A number of bytes, decimal or hexadecimal (0x), with an optional suffix K, M or G. `what` begins
/// the message of the InputError that is thrown for any other text.
std::uint64_t parse_bytes(const std::string& what, const std::string& text);

/// The extents that a text "X", "X,Y" or "X,Y,Z" states.
struct ExtentText {
  std::uint32_t x = 1, y = 1, z = 1;
};
/// Throws InputError; `what` begins its message.
ExtentText parse_extent(const std::string& what, const std::string& text);

}  // namespace heddle
