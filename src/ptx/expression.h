#pragma once

#include <optional>

#include "ptx/constant.h"
#include "ptx/token_stream.h"

namespace heddle::ptx {

/// True where the token in view can begin a constant expression.
bool begins_constant(const TokenStream& tokens);
/// Reads a constant expression. Nothing, with the error reported, where there is none.
std::optional<Constant> parse_constant(TokenStream& tokens);
/// The same without operators of two operands around it: what may stand before `(symbol)` in an
/// initialiser, or after a '+'.
std::optional<Constant> parse_unary_constant(TokenStream& tokens);
/// An expression whose value must be an integer.
std::optional<Constant> parse_integer(TokenStream& tokens);
/// An integer from `least` to `most`; `what` names it in messages. `parse_plain_count` leaves
/// operators of two operands alone, as before the '>' of `%r<10>`.
std::optional<std::uint64_t> parse_plain_count(TokenStream& tokens, std::string_view what,
                                               std::uint64_t least, std::uint64_t most);
std::optional<std::uint64_t> parse_count(TokenStream& tokens, std::string_view what,
                                         std::uint64_t least, std::uint64_t most);

}  // namespace heddle::ptx
