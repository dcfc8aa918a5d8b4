#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// One --arg of `heddle exec`: a scalar's bytes, or a buffer to make and pass the address of.
struct ExecArgument {
  std::vector<std::byte> scalar;  ///< Empty for a buffer.
  std::string buffer;             ///< Its name; empty for a scalar.
  std::uint64_t bytes = 0;        ///< Of a zeroed buffer.
  std::string file;               ///< Of a buffer that holds a file's bytes.
  bool is_buffer() const { return !buffer.empty(); }
};

/// Reads TYPE:VALUE, buf:NAME:BYTES or buf:NAME:@FILE. Throws InputError.
ExecArgument parse_exec_argument(const std::string& text);

/// A number of bytes: decimal or 0x, perhaps with K, M or G after it. Throws InputError, which says
/// `what` it is of.
std::uint64_t parse_bytes(const std::string& what, const std::string& text);

/// X, X,Y or X,Y,Z. Throws InputError.
struct ExtentText {
  std::uint32_t x = 1, y = 1, z = 1;
};
ExtentText parse_extent(const std::string& what, const std::string& text);

}  // namespace heddle
