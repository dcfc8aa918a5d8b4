#include "ptx/expression.h"

namespace heddle::ptx {
namespace {

constexpr int kDeepest = 100;

/// The precedence of a binary operator, higher binds tighter; 0 for any other token.
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

Constant truth(bool value) {
  return {Constant::Kind::signed_integer, value ? std::uint64_t{1} : std::uint64_t{0}};
}

bool is_true(const Constant& c) { return c.is_integer() ? c.bits != 0 : c.as_double() != 0; }

std::uint64_t shift(const Constant& a, std::uint64_t count, bool left) {
  if (left) return count < 64 ? a.bits << count : 0;
  if (a.kind == Constant::Kind::unsigned_integer) return count < 64 ? a.bits >> count : 0;
  return static_cast<std::uint64_t>(a.as_signed() >> (count < 64 ? count : 63));
}

std::uint64_t divide(const Constant& a, const Constant& b, bool is_signed, bool remainder) {
  if (!is_signed) return remainder ? a.bits % b.bits : a.bits / b.bits;
  // The smallest integer divided by -1 does not fit and wraps around.
  if (b.as_signed() == -1) return remainder ? 0 : 0 - a.bits;
  const std::int64_t result =
      remainder ? a.as_signed() % b.as_signed() : a.as_signed() / b.as_signed();
  return static_cast<std::uint64_t>(result);
}

class Parser {
 public:
  explicit Parser(TokenStream& tokens) : tokens_(tokens) {}

  std::optional<Constant> conditional() {
    std::optional<Constant> value = binary(1);
    if (!value || !tokens_.at('?')) return value;
    const Nesting nesting(*this);
    if (!nesting.allowed()) return std::nullopt;
    tokens_.take();
    const std::optional<Constant> yes = conditional();
    if (!yes || !tokens_.expect(':', "of the conditional expression")) return std::nullopt;
    const std::optional<Constant> no = conditional();
    if (!no) return std::nullopt;
    return is_true(*value) ? yes : no;
  }

  std::optional<Constant> unary() {
    const Nesting nesting(*this);
    if (!nesting.allowed()) return std::nullopt;
    const Token token = tokens_.peek();
    if (token.kind == TokenKind::punctuation) {
      switch (token.punctuation) {
        case '+':
        case '-':
        case '~':
        case '!': {
          tokens_.take();
          const std::optional<Constant> operand = unary();
          if (!operand) return std::nullopt;
          return apply(token, *operand);
        }
        case '(':
          return parenthesised();
        default:
          break;
      }
    }
    return primary();
  }

 private:
  /// Counts nested expressions, and limits them so that the host's stack does not overflow.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool allowed() const {
      if (parser_.depth_ <= kDeepest) return true;
      parser_.tokens_.error(parser_.tokens_.peek(), "this expression is nested too deeply");
      return false;
    }

   private:
    Parser& parser_;
  };

  std::optional<Constant> primary() {
    const Token token = tokens_.peek();
    switch (token.kind) {
      case TokenKind::integer:
      case TokenKind::floating:
      case TokenKind::f32_bits:
      case TokenKind::f64_bits: {
        const std::optional<Constant> value = value_of_number(token.kind, tokens_.text_of(token));
        if (!value) {
          tokens_.error(token, "{} does not fit into 64 bits", shown(tokens_.text_of(token)));
        }
        tokens_.take();
        return value;
      }
      case TokenKind::identifier:
        if (tokens_.accept_word("WARP_SZ")) return Constant{Constant::Kind::signed_integer, 32};
        [[fallthrough]];
      default:
        tokens_.error_expected("a constant");
        return std::nullopt;
    }
  }

  std::optional<Constant> parenthesised() {
    tokens_.take();
    // A cast: (.s64) or (.u64).
    const bool to_signed = tokens_.accept_suffix(".s64");
    if (to_signed || tokens_.accept_suffix(".u64")) {
      if (!tokens_.expect(')', "of the cast")) return std::nullopt;
      const Token at = tokens_.peek();
      std::optional<Constant> operand = unary();
      if (!operand) return std::nullopt;
      if (!operand->is_integer()) {
        tokens_.error(at, "only integers can be cast");
        return std::nullopt;
      }
      operand->kind = to_signed ? Constant::Kind::signed_integer : Constant::Kind::unsigned_integer;
      return operand;
    }
    const std::optional<Constant> value = conditional();
    if (!value || !tokens_.expect(')', "of the expression")) return std::nullopt;
    return value;
  }

  std::optional<Constant> binary(int least) {
    std::optional<Constant> left = unary();
    while (left) {
      const Token op = tokens_.peek();
      const int precedence = precedence_of(op);
      if (precedence < least || precedence == 0) return left;
      tokens_.take();
      const std::optional<Constant> right = binary(precedence + 1);
      if (!right) return std::nullopt;
      left = apply(op, *left, *right);
    }
    return left;
  }

  std::optional<Constant> apply(const Token& op, const Constant& a) {
    if (a.kind == Constant::Kind::f32) return wrong(op, "a 0f constant takes no operators");
    if (op.punctuation == '!') return truth(!is_true(a));
    if (op.punctuation == '+') return a;
    if (!a.is_integer()) {
      if (op.punctuation == '-') return Constant::from_double(-a.as_double());
      return wrong(op, "this operator takes an integer");
    }
    Constant result = a;
    result.bits = op.punctuation == '-' ? 0 - a.bits : ~a.bits;
    return result;
  }

  std::optional<Constant> apply(const Token& op, const Constant& a, const Constant& b) {
    if (a.kind == Constant::Kind::f32 || b.kind == Constant::Kind::f32) {
      return wrong(op, "a 0f constant takes no operators");
    }
    if (op.punctuation == kLogicalAnd) return truth(is_true(a) && is_true(b));
    if (op.punctuation == kLogicalOr) return truth(is_true(a) || is_true(b));
    if (!a.is_integer() || !b.is_integer()) return apply_floating(op, a.as_double(), b.as_double());
    const bool is_signed =
        a.kind == Constant::Kind::signed_integer && b.kind == Constant::Kind::signed_integer;
    const auto number = [&](std::uint64_t bits) {
      return Constant{is_signed ? Constant::Kind::signed_integer : Constant::Kind::unsigned_integer,
                      bits};
    };
    const bool less = is_signed ? a.as_signed() < b.as_signed() : a.bits < b.bits;
    switch (op.punctuation) {
      case '+':
        return number(a.bits + b.bits);
      case '-':
        return number(a.bits - b.bits);
      case '*':
        return number(a.bits * b.bits);
      case '/':
      case '%':
        if (b.bits == 0) return wrong(op, "division by zero");
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
        return truth(less);
      case kGreaterOrEqual:
        return truth(!less);
      case '>':
        return truth(!less && a.bits != b.bits);
      case kLessOrEqual:
        return truth(less || a.bits == b.bits);
      case kEqual:
        return truth(a.bits == b.bits);
      default:
        return truth(a.bits != b.bits);
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
        if (b == 0) return wrong(op, "division by zero");
        return Constant::from_double(a / b);
      case '<':
        return truth(a < b);
      case '>':
        return truth(a > b);
      case kLessOrEqual:
        return truth(a <= b);
      case kGreaterOrEqual:
        return truth(a >= b);
      case kEqual:
        return truth(a == b);
      case kNotEqual:
        return truth(a != b);
      default:
        return wrong(op, "this operator takes integers");
    }
  }

  std::optional<Constant> wrong(const Token& op, std::string_view message) {
    tokens_.error(op, "{}", message);
    return std::nullopt;
  }

  TokenStream& tokens_;
  int depth_ = 0;
};

}  // namespace

namespace {

std::optional<std::uint64_t> in_range(TokenStream& tokens, const Token& at,
                                      const std::optional<Constant>& value, std::string_view what,
                                      std::uint64_t least, std::uint64_t most) {
  if (!value) return std::nullopt;
  const bool negative = value->kind == Constant::Kind::signed_integer && value->as_signed() < 0;
  if (value->is_integer() && !negative && value->bits >= least && value->bits <= most) {
    return value->bits;
  }
  tokens.error(at, "{} must be an integer from {} to {}", what, least, most);
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

std::optional<Constant> parse_constant(TokenStream& tokens) { return Parser(tokens).conditional(); }
std::optional<Constant> parse_unary_constant(TokenStream& tokens) { return Parser(tokens).unary(); }

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
                                               std::uint64_t least, std::uint64_t most) {
  const Token at = tokens.peek();
  return in_range(tokens, at, parse_unary_constant(tokens), what, least, most);
}

std::optional<std::uint64_t> parse_count(TokenStream& tokens, std::string_view what,
                                         std::uint64_t least, std::uint64_t most) {
  const Token at = tokens.peek();
  return in_range(tokens, at, parse_constant(tokens), what, least, most);
}

}  // namespace heddle::ptx
