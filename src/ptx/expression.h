#pragma once

#include <optional>

#include "ptx/constant.h"
#include "ptx/token_stream.h"

namespace heddle::ptx {

/// True if the next token can begin a constant expression.
bool begins_constant(const TokenStream& tokens);
/// Parses a constant expression. This function and those below report an error and return nullopt
/// if the text is not as expected.
std::optional<Constant> parse_constant(TokenStream& tokens);
/// Parses a constant expression without binary operators, such as the offset after a '+'.
std::optional<Constant> parse_unary_constant(TokenStream& tokens);
/// Parses an expression whose value must be an integer.
std::optional<Constant> parse_integer(TokenStream& tokens);
/// Parses an integer from `minimum` to `maximum`, both inclusive. `what` names it in messages.
std::optional<std::uint64_t> parse_count(TokenStream& tokens, std::string_view what,
                                         std::uint64_t minimum, std::uint64_t maximum);
/// The same without binary operators, because the '>' in `%r<10>` is not an operator.
std::optional<std::uint64_t> parse_plain_count(TokenStream& tokens, std::string_view what,
                                               std::uint64_t minimum, std::uint64_t maximum);

}  // namespace heddle::ptx
