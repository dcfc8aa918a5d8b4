#include <algorithm>

#include "ptx/expression.h"
#include "ptx/variables.h"

namespace heddle::ptx {
namespace {

// The maximum number of zeros that are filled in between elements with initial values. Without this
// limit, a short text could request any amount of memory.
constexpr std::uint64_t kMaxFilledIn = 1U << 20;

/// Parses the initialiser of one variable.
class Reader {
 public:
  Reader(Context& context, Declarator& declarator)
      : context_(context),
        tokens_(context.tokens),
        variable_(declarator.variable),
        extents_(declarator.extents) {
    if (variable_.vector > 1) extents_.push_back(variable_.vector);
  }

  bool read() {
    if (extents_.empty()) {
      const bool has_brace = tokens_.accept('{');
      return parse_element() && (!has_brace || tokens_.expect('}', "after the initial value"));
    }
    const Token at = tokens_.peek();
    if (!parse_level(0, 0)) return false;
    if (variable_.is_unsized) {
      const std::uint64_t row_bytes = elements_below(0) * element_size();
      if (row_count_ > kMaxVariableBytes / row_bytes) {
        tokens_.error(at, "'{}' is larger than {} bytes", printable(variable_.name),
                      kMaxVariableBytes);
        return false;
      }
      variable_.size = row_count_ * row_bytes;
      variable_.is_unsized = false;
    }
    return true;
  }

 private:
  std::uint64_t element_size() const { return static_cast<std::uint64_t>(size_of(variable_.type)); }

  /// The number of elements in one element of dimension `depth`; 0 is the outermost.
  std::uint64_t elements_below(std::size_t depth) const {
    std::uint64_t count = 1;
    for (std::size_t i = depth + 1; i < extents_.size(); ++i) count *= extents_[i];
    return count;
  }

  /// Parses the braces of dimension `depth`. `position` is the index of the first element in them.
  bool parse_level(std::size_t depth, std::uint64_t position) {
    if (!tokens_.expect('{', "of the initial values")) return false;
    const std::uint64_t extent = extents_[depth];
    const std::uint64_t step = elements_below(depth);
    std::uint64_t count = 0;
    const bool ok = tokens_.at('}') || parse_list(tokens_, [&] {
                      if (extent != 0 && count >= extent) {
                        tokens_.error(tokens_.peek(), "more than {} initial values", extent);
                        return false;
                      }
                      const std::uint64_t here = position + step * count++;
                      return depth + 1 < extents_.size() ? parse_level(depth + 1, here)
                                                         : fill_up_to(here) && parse_element();
                    });
    if (depth == 0) row_count_ = std::max<std::uint64_t>(count, 1);
    return ok && tokens_.expect('}', "after the initial values");
  }

  /// Fills with zeros up to the element at `position`.
  bool fill_up_to(std::uint64_t position) {
    const std::uint64_t missing = position - variable_.initialiser.size();
    filled_in_count_ += missing;
    if (filled_in_count_ > kMaxFilledIn) {
      tokens_.error(tokens_.peek(), "more than {} elements before this one have no initial value",
                    kMaxFilledIn);
      return false;
    }
    variable_.initialiser.resize(position);
    return true;
  }

  bool parse_element() {
    const Token at = tokens_.peek();
    const std::string_view name_text =
        at.kind == TokenKind::identifier ? context_.text_of(at) : std::string_view();
    if (at.kind == TokenKind::identifier && name_text != "WARP_SZ") return parse_address(at, 0);
    const std::optional<Constant> value = parse_constant(tokens_);
    if (!value) return false;
    if (tokens_.at('(')) return parse_masked_address(at, *value);
    const std::optional<std::uint64_t> bits = bits_as(*value, variable_.type);
    if (!bits) {
      tokens_.error(at, "{} cannot be the value of a .{}",
                    value->is_integer() ? "an integer" : "a floating-point number",
                    name_of(variable_.type));
      return false;
    }
    variable_.initialiser.push_back({.bits = *bits});
    return true;
  }

  /// Parses the symbol of 0xFF00(symbol), after the mask. The mask selects one byte of the address.
  bool parse_masked_address(const Token& at, const Constant& mask) {
    bool is_byte = false;
    for (int i = 0; i < 8; ++i) is_byte |= mask.bits == std::uint64_t{0xff} << 8 * i;
    if (!mask.is_integer() || !is_byte) {
      tokens_.error(at, "the mask of an address must be 0xFF, shifted by whole bytes");
      return false;
    }
    tokens_.take();
    return parse_address(tokens_.peek(), mask.bits) && tokens_.expect(')', "after the address");
  }

  /// Parses symbol, symbol+4, generic(symbol) or generic(symbol)+4.
  bool parse_address(const Token& at, std::uint64_t mask) {
    std::optional<Token> name = take_name(tokens_, "the name of a variable or a function");
    if (!name) return false;
    Initialiser value{.byte_mask = mask};
    if (context_.text_of(*name) == "generic" && tokens_.accept('(')) {
      value.generic = true;
      name = take_name(tokens_, "the name of a variable");
      if (!name || !parse_addend(value) || !tokens_.expect(')', "after the name")) return false;
    }
    if (!parse_addend(value)) return false;
    const Symbol* symbol = context_.symbols.find(context_.text_of(*name));
    if (symbol == nullptr) {
      report_unknown(context_, *name, "symbol");
      return true;
    }
    if (symbol->kind == Symbol::Kind::variable) {
      value.kind = Initialiser::Kind::variable_address;
    } else if (symbol->kind == Symbol::Kind::function) {
      value.kind = Initialiser::Kind::function_address;
    } else {
      tokens_.error(*name, "'{}' has no address", printable(context_.text_of(*name)));
      return true;
    }
    if (mask == 0 && (element_size() < 4 || is_floating(variable_.type))) {
      tokens_.error(at, "an address does not fit into a .{}", name_of(variable_.type));
      return true;
    }
    value.symbol = symbol->index;
    variable_.initialiser.push_back(value);
    return true;
  }

  /// Parses any number of `+4` or `-4`.
  bool parse_addend(Initialiser& value) {
    while (tokens_.at('+') || tokens_.at('-')) {
      const bool is_minus = tokens_.take().punctuation == '-';
      const Token at = tokens_.peek();
      const std::optional<Constant> constant = parse_unary_constant(tokens_);
      if (!constant) return false;
      if (!constant->is_integer()) {
        tokens_.error(at, "expected an integer");
        return false;
      }
      const std::uint64_t sum = static_cast<std::uint64_t>(value.addend) +
                                (is_minus ? 0 - constant->bits : constant->bits);
      value.addend = static_cast<std::int64_t>(sum);
    }
    return true;
  }

  Context& context_;
  TokenStream& tokens_;
  Variable& variable_;
  std::vector<std::uint64_t> extents_;
  std::uint64_t row_count_ = 0;        ///< Initial values in the outermost dimension.
  std::uint64_t filled_in_count_ = 0;  ///< Elements that fill_up_to() has added.
};

}  // namespace

bool parse_initialiser(Context& context, Declarator& declarator) {
  return Reader(context, declarator).read();
}

}  // namespace heddle::ptx
