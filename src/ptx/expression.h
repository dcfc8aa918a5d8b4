#pragma once

#include <optional>

#include "ptx/constant.h"
#include "ptx/token_stream.h"

namespace heddle::ptx {

/// True if the next token can begin a constant expression.
bool begins_constant(const TokenStream& tokens);
/// Parses a constant expression. If there is none, reports the error and returns nothing.
std::optional<Constant> parse_constant(TokenStream& tokens);
/// Parses a constant expression without binary operators: the mask before `(symbol)` in an
/// initialiser, or the term after a '+'.
std::optional<Constant> parse_unary_constant(TokenStream& tokens);
/// Parses an expression whose value must be an integer.
std::optional<Constant> parse_integer(TokenStream& tokens);
// These parse an integer from `least` to `most`; `what` names it in messages. `parse_plain_count`
// stops at binary operators, because the '>' in `%r<10>` is no operator.
std::optional<std::uint64_t> parse_plain_count(TokenStream& tokens, std::string_view what,
                                               std::uint64_t least, std::uint64_t most);
std::optional<std::uint64_t> parse_count(TokenStream& tokens, std::string_view what,
                                         std::uint64_t least, std::uint64_t most);

}  // namespace heddle::ptx
