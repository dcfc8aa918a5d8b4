#include <algorithm>

#include "ptx/expression.h"
#include "ptx/variables.h"

namespace heddle::ptx {
namespace {

// The maximum number of zeros filled in between given elements. Without it, a short text could ask
// for any number.
constexpr std::uint64_t kMostFilledIn = 1U << 20;

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
      const bool braced = tokens_.accept('{');
      return element() && (!braced || tokens_.expect('}', "after the initial value"));
    }
    const Token at = tokens_.peek();
    if (!level(0, 0)) return false;
    if (variable_.unsized) {
      const std::uint64_t row = elements_below(0) * element_size();
      if (rows_ > kLargestVariable / row) {
        tokens_.error(at, "'{}' is larger than {} bytes", shown(variable_.name), kLargestVariable);
        return false;
      }
      variable_.size = rows_ * row;
      variable_.unsized = false;
    }
    return true;
  }

 private:
  std::uint64_t element_size() const { return static_cast<std::uint64_t>(size_of(variable_.type)); }

  std::uint64_t elements_below(std::size_t depth) const {
    std::uint64_t count = 1;
    for (std::size_t i = depth + 1; i < extents_.size(); ++i) count *= extents_[i];
    return count;
  }

  /// Parses the braces of one dimension; `position` is the index of its first element.
  bool level(std::size_t depth, std::uint64_t position) {
    if (!tokens_.expect('{', "of the initial values")) return false;
    const std::uint64_t extent = extents_[depth];
    const std::uint64_t step = elements_below(depth);
    std::uint64_t count = 0;
    const bool ok =
        tokens_.at('}') || parse_list(tokens_, [&] {
          if (extent != 0 && count >= extent) {
            tokens_.error(tokens_.peek(), "more than {} initial values", extent);
            return false;
          }
          const std::uint64_t here = position + step * count++;
          return depth + 1 < extents_.size() ? level(depth + 1, here) : fill_to(here) && element();
        });
    if (depth == 0) rows_ = std::max<std::uint64_t>(count, 1);
    return ok && tokens_.expect('}', "after the initial values");
  }

  bool fill_to(std::uint64_t position) {
    const std::uint64_t missing = position - variable_.initialiser.size();
    filled_in_ += missing;
    if (filled_in_ > kMostFilledIn) {
      tokens_.error(tokens_.peek(), "more than {} elements before this one have no initial value",
                    kMostFilledIn);
      return false;
    }
    variable_.initialiser.resize(position);
    return true;
  }

  bool element() {
    const Token at = tokens_.peek();
    const std::string_view word =
        at.kind == TokenKind::identifier ? context_.text_of(at) : std::string_view();
    if (at.kind == TokenKind::identifier && word != "WARP_SZ") return address(at, 0);
    const std::optional<Constant> value = parse_constant(tokens_);
    if (!value) return false;
    if (tokens_.at('(')) return masked_address(at, *value);
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

  /// 0xFF00(symbol): one byte of an address.
  bool masked_address(const Token& at, const Constant& mask) {
    bool is_byte = false;
    for (int i = 0; i < 8; ++i) is_byte |= mask.bits == std::uint64_t{0xff} << 8 * i;
    if (!mask.is_integer() || !is_byte) {
      tokens_.error(at, "the mask of an address must be 0xFF, shifted by whole bytes");
      return false;
    }
    tokens_.take();
    return address(tokens_.peek(), mask.bits) && tokens_.expect(')', "after the address");
  }

  /// symbol, symbol+4, generic(symbol), generic(symbol)+4
  bool address(const Token& at, std::uint64_t mask) {
    std::optional<Token> name = take_name(tokens_, "the name of a variable or a function");
    if (!name) return false;
    Initialiser value{.byte_mask = mask};
    if (context_.text_of(*name) == "generic" && tokens_.accept('(')) {
      value.generic = true;
      name = take_name(tokens_, "the name of a variable");
      if (!name || !addend(value) || !tokens_.expect(')', "after the name")) return false;
    }
    if (!addend(value)) return false;
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
      tokens_.error(*name, "'{}' has no address", shown(context_.text_of(*name)));
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

  bool addend(Initialiser& value) {
    while (tokens_.at('+') || tokens_.at('-')) {
      const bool minus = tokens_.take().punctuation == '-';
      const Token at = tokens_.peek();
      const std::optional<Constant> constant = parse_unary_constant(tokens_);
      if (!constant) return false;
      if (!constant->is_integer()) {
        tokens_.error(at, "expected an integer");
        return false;
      }
      const std::uint64_t sum =
          static_cast<std::uint64_t>(value.addend) + (minus ? 0 - constant->bits : constant->bits);
      value.addend = static_cast<std::int64_t>(sum);
    }
    return true;
  }

  Context& context_;
  TokenStream& tokens_;
  Variable& variable_;
  std::vector<std::uint64_t> extents_;
  std::uint64_t rows_ = 0;
  std::uint64_t filled_in_ = 0;
};

}  // namespace

bool parse_initialiser(Context& context, Declarator& declarator) {
  return Reader(context, declarator).read();
}

}  // namespace heddle::ptx
