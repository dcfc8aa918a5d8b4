#pragma once

// The trace events that a part of the chip records (notes). They hold numbers only; they become
// text when they are written (trace/line.h).
//
//   // Beside the code that notes it:
//   inline const trace::Kind kMiss{"l1_miss", "a load misses in the L1", {{"line", kHex}}};
//   // In that code:
//   if (log_ != nullptr) log_->note({.at = now, .kind = &kMiss, .values = {line}});

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/cycle.h"

namespace heddle::trace {

enum class Format : std::uint8_t { decimal, hexadecimal };
inline constexpr Format kHex = Format::hexadecimal;

/// A number that belongs to an event, written as "name=value".
struct Field {
  std::string_view name;
  Format format = Format::decimal;
};
inline constexpr std::size_t kMostFields = 5;
/// The value of a field that does not apply to an event; the field is not written.
inline constexpr std::uint64_t kNothing = ~std::uint64_t{0};

/// A kind of event. It is a constant that registers itself when it is constructed.
class Kind {
 public:
  /// The texts must be literals.
  Kind(std::string_view name, std::string_view meaning, std::initializer_list<Field> fields = {});
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;

  std::string_view name() const { return name_; }
  std::string_view meaning() const { return meaning_; }
  std::size_t fields() const { return count_; }
  const Field& field(std::size_t i) const { return fields_[i]; }

  /// All registered kinds, sorted by name.
  static std::vector<const Kind*> all();

 private:
  std::string_view name_;
  std::string_view meaning_;
  std::array<Field, kMostFields> fields_{};
  std::size_t count_ = 0;
};

/// The cause of an event: a warp's instruction or, in a partition, a multiprocessor.
struct Origin {
  static constexpr std::uint16_t kNone = 0xffff;
  static constexpr std::uint32_t kNoPc = ~std::uint32_t{0};

  std::uint16_t sm = kNone;
  std::uint16_t warp = kNone;  ///< The warp's slot.
  std::uint32_t pc = kNoPc;
};

struct Event {
  Cycle at;  ///< In core cycles. An event may be noted before it happens.
  const Kind* kind = nullptr;
  Origin origin{};
  std::string_view cause{};                         ///< The reason or the subject; a literal.
  std::array<std::uint64_t, kMostFields> values{};  ///< The values of the kind's fields.
};

}  // namespace heddle::trace
