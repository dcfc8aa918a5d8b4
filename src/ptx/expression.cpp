#include "ptx/expression.h"

namespace heddle::ptx {
namespace {

constexpr int kMaxNesting = 100;  ///< Of parentheses and operators.

/// The precedence of a binary operator: operators with a higher number bind tighter. 0 for any
/// other token.
int precedence_of(const Token& token) {
  if (token.kind != TokenKind::punctuation) return 0;
  switch (token.punctuation) {
    case kLogicalOr:
      return 1;
    case kLogicalAnd:
      return 2;
    case '|':
      return 3;
    case '^':
      return 4;
    case '&':
      return 5;
    case kEqual:
    case kNotEqual:
      return 6;
    case '<':
    case '>':
    case kLessOrEqual:
    case kGreaterOrEqual:
      return 7;
    case kShiftLeft:
    case kShiftRight:
      return 8;
    case '+':
    case '-':
      return 9;
    case '*':
    case '/':
    case '%':
      return 10;
    default:
      return 0;
  }
}

Constant from_bool(bool value) {
  return {Constant::Kind::signed_integer, value ? std::uint64_t{1} : std::uint64_t{0}};
}

bool is_true(const Constant& c) { return c.is_integer() ? c.bits != 0 : c.as_double() != 0; }

std::uint64_t shift(const Constant& a, std::uint64_t count, bool is_left) {
  if (is_left) return count < 64 ? a.bits << count : 0;
  if (a.kind == Constant::Kind::unsigned_integer) return count < 64 ? a.bits >> count : 0;
  return static_cast<std::uint64_t>(a.as_signed() >> (count < 64 ? count : 63));
}

/// The quotient or, if `remainder` is set, the remainder.
std::uint64_t divide(const Constant& a, const Constant& b, bool is_signed, bool remainder) {
  if (!is_signed) return remainder ? a.bits % b.bits : a.bits / b.bits;
  // The smallest integer divided by -1 overflows and wraps around; C++ leaves it undefined.
  if (b.as_signed() == -1) return remainder ? 0 : 0 - a.bits;
  const std::int64_t result =
      remainder ? a.as_signed() % b.as_signed() : a.as_signed() / b.as_signed();
  return static_cast<std::uint64_t>(result);
}

/// A recursive-descent parser of constant expressions.
class Parser {
 public:
  explicit Parser(TokenStream& tokens) : tokens_(tokens) {}

  std::optional<Constant> parse_conditional() {
    std::optional<Constant> value = parse_binary(1);
    if (!value || !tokens_.at('?')) return value;
    const Nesting nesting(*this);
    if (!nesting.check_depth()) return std::nullopt;
    tokens_.take();
    const std::optional<Constant> if_true = parse_conditional();
    if (!if_true || !tokens_.expect(':', "of the conditional expression")) return std::nullopt;
    const std::optional<Constant> if_false = parse_conditional();
    if (!if_false) return std::nullopt;
    return is_true(*value) ? if_true : if_false;
  }

  std::optional<Constant> parse_unary() {
    const Nesting nesting(*this);
    if (!nesting.check_depth()) return std::nullopt;
    const Token token = tokens_.peek();
    if (token.kind == TokenKind::punctuation) {
      switch (token.punctuation) {
        case '+':
        case '-':
        case '~':
        case '!': {
          tokens_.take();
          const std::optional<Constant> operand = parse_unary();
          if (!operand) return std::nullopt;
          return apply(token, *operand);
        }
        case '(':
          return parse_parenthesised();
        default:
          break;
      }
    }
    return parse_primary();
  }

 private:
  /// Counts nested expressions while it exists. Their depth is limited so that the host's stack
  /// does not overflow.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    /// Reports an error and returns false if the depth exceeds the limit.
    bool check_depth() const {
      if (parser_.depth_ <= kMaxNesting) return true;
      parser_.tokens_.error(parser_.tokens_.peek(), "this expression is nested too deeply");
      return false;
    }

   private:
    Parser& parser_;
  };

  std::optional<Constant> parse_primary() {
    const Token token = tokens_.peek();
    switch (token.kind) {
      case TokenKind::integer:
      case TokenKind::floating:
      case TokenKind::f32_bits:
      case TokenKind::f64_bits: {
        const std::optional<Constant> value = value_of_number(token.kind, tokens_.text_of(token));
        if (!value) {
          tokens_.error(token, "{} does not fit into 64 bits", printable(tokens_.text_of(token)));
        }
        tokens_.take();
        return value;
      }
      case TokenKind::identifier:
        if (tokens_.accept_identifier("WARP_SZ"))
          return Constant{Constant::Kind::signed_integer, 32};
        [[fallthrough]];
      default:
        tokens_.error_expected("a constant");
        return std::nullopt;
    }
  }

  std::optional<Constant> parse_parenthesised() {
    tokens_.take();
    // A cast: (.s64) or (.u64).
    const bool to_signed = tokens_.accept_suffix(".s64");
    if (to_signed || tokens_.accept_suffix(".u64")) {
      if (!tokens_.expect(')', "of the cast")) return std::nullopt;
      const Token at = tokens_.peek();
      std::optional<Constant> operand = parse_unary();
      if (!operand) return std::nullopt;
      if (!operand->is_integer()) {
        tokens_.error(at, "only integers can be cast");
        return std::nullopt;
      }
      operand->kind = to_signed ? Constant::Kind::signed_integer : Constant::Kind::unsigned_integer;
      return operand;
    }
    const std::optional<Constant> value = parse_conditional();
    if (!value || !tokens_.expect(')', "of the expression")) return std::nullopt;
    return value;
  }

  /// Parses an expression whose binary operators have at least this precedence.
  std::optional<Constant> parse_binary(int minimum) {
    std::optional<Constant> left = parse_unary();
    while (left) {
      const Token op = tokens_.peek();
      const int precedence = precedence_of(op);
      if (precedence < minimum || precedence == 0) return left;
      tokens_.take();
      const std::optional<Constant> right = parse_binary(precedence + 1);
      if (!right) return std::nullopt;
      left = apply(op, *left, *right);
    }
    return left;
  }

  std::optional<Constant> apply(const Token& op, const Constant& a) {
    if (a.kind == Constant::Kind::f32) return fail(op, "a 0f constant takes no operators");
    if (op.punctuation == '!') return from_bool(!is_true(a));
    if (op.punctuation == '+') return a;
    if (!a.is_integer()) {
      if (op.punctuation == '-') return Constant::from_double(-a.as_double());
      return fail(op, "this operator takes an integer");
    }
    Constant result = a;
    result.bits = op.punctuation == '-' ? 0 - a.bits : ~a.bits;
    return result;
  }

  std::optional<Constant> apply(const Token& op, const Constant& a, const Constant& b) {
    if (a.kind == Constant::Kind::f32 || b.kind == Constant::Kind::f32) {
      return fail(op, "a 0f constant takes no operators");
    }
    if (op.punctuation == kLogicalAnd) return from_bool(is_true(a) && is_true(b));
    if (op.punctuation == kLogicalOr) return from_bool(is_true(a) || is_true(b));
    if (!a.is_integer() || !b.is_integer()) return apply_floating(op, a.as_double(), b.as_double());
    const bool is_signed =
        a.kind == Constant::Kind::signed_integer && b.kind == Constant::Kind::signed_integer;
    const auto number = [&](std::uint64_t bits) {
      return Constant{is_signed ? Constant::Kind::signed_integer : Constant::Kind::unsigned_integer,
                      bits};
    };
    const bool is_less = is_signed ? a.as_signed() < b.as_signed() : a.bits < b.bits;
    switch (op.punctuation) {
      case '+':
        return number(a.bits + b.bits);
      case '-':
        return number(a.bits - b.bits);
      case '*':
        return number(a.bits * b.bits);
      case '/':
      case '%':
        if (b.bits == 0) return fail(op, "division by zero");
        return number(divide(a, b, is_signed, op.punctuation == '%'));
      case kShiftLeft:
        return Constant{a.kind, shift(a, b.bits, true)};
      case kShiftRight:
        return Constant{a.kind, shift(a, b.bits, false)};
      case '&':
        return number(a.bits & b.bits);
      case '|':
        return number(a.bits | b.bits);
      case '^':
        return number(a.bits ^ b.bits);
      case '<':
        return from_bool(is_less);
      case kGreaterOrEqual:
        return from_bool(!is_less);
      case '>':
        return from_bool(!is_less && a.bits != b.bits);
      case kLessOrEqual:
        return from_bool(is_less || a.bits == b.bits);
      case kEqual:
        return from_bool(a.bits == b.bits);
      default:
        return from_bool(a.bits != b.bits);
    }
  }

  std::optional<Constant> apply_floating(const Token& op, double a, double b) {
    switch (op.punctuation) {
      case '+':
        return Constant::from_double(a + b);
      case '-':
        return Constant::from_double(a - b);
      case '*':
        return Constant::from_double(a * b);
      case '/':
        if (b == 0) return fail(op, "division by zero");
        return Constant::from_double(a / b);
      case '<':
        return from_bool(a < b);
      case '>':
        return from_bool(a > b);
      case kLessOrEqual:
        return from_bool(a <= b);
      case kGreaterOrEqual:
        return from_bool(a >= b);
      case kEqual:
        return from_bool(a == b);
      case kNotEqual:
        return from_bool(a != b);
      default:
        return fail(op, "this operator takes integers");
    }
  }

  /// Reports an error at the operator.
  std::optional<Constant> fail(const Token& op, std::string_view message) {
    tokens_.error(op, "{}", message);
    return std::nullopt;
  }

  TokenStream& tokens_;
  int depth_ = 0;
};

}  // namespace

namespace {

/// Returns the value if it is an integer from `minimum` to `maximum`, and otherwise reports an
/// error.
std::optional<std::uint64_t> check_range(TokenStream& tokens, const Token& at,
                                         const std::optional<Constant>& value,
                                         std::string_view what, std::uint64_t minimum,
                                         std::uint64_t maximum) {
  if (!value) return std::nullopt;
  const bool is_negative = value->kind == Constant::Kind::signed_integer && value->as_signed() < 0;
  if (value->is_integer() && !is_negative && value->bits >= minimum && value->bits <= maximum) {
    return value->bits;
  }
  tokens.error(at, "{} must be an integer from {} to {}", what, minimum, maximum);
  return std::nullopt;
}

}  // namespace

bool begins_constant(const TokenStream& tokens) {
  const Token& token = tokens.peek();
  switch (token.kind) {
    case TokenKind::integer:
    case TokenKind::floating:
    case TokenKind::f32_bits:
    case TokenKind::f64_bits:
      return true;
    case TokenKind::identifier:
      return tokens.text_of(token) == "WARP_SZ";
    case TokenKind::punctuation:
      return token.punctuation == '+' || token.punctuation == '-' || token.punctuation == '~' ||
             token.punctuation == '!' || token.punctuation == '(';
    default:
      return false;
  }
}

std::optional<Constant> parse_constant(TokenStream& tokens) {
  return Parser(tokens).parse_conditional();
}
std::optional<Constant> parse_unary_constant(TokenStream& tokens) {
  return Parser(tokens).parse_unary();
}

std::optional<Constant> parse_integer(TokenStream& tokens) {
  const Token at = tokens.peek();
  const std::optional<Constant> value = parse_constant(tokens);
  if (value && !value->is_integer()) {
    tokens.error(at, "expected an integer");
    return std::nullopt;
  }
  return value;
}

std::optional<std::uint64_t> parse_plain_count(TokenStream& tokens, std::string_view what,
                                               std::uint64_t minimum, std::uint64_t maximum) {
  const Token at = tokens.peek();
  return check_range(tokens, at, parse_unary_constant(tokens), what, minimum, maximum);
}

std::optional<std::uint64_t> parse_count(TokenStream& tokens, std::string_view what,
                                         std::uint64_t minimum, std::uint64_t maximum) {
  const Token at = tokens.peek();
  return check_range(tokens, at, parse_constant(tokens), what, minimum, maximum);
}

}  // namespace heddle::ptx
