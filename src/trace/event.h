#pragma once

// What a part of the chip notes of what it does: numbers only, of which text is made later.
//
//   // Beside the code that notes it:
//   inline const trace::Kind kMiss{"l1_miss", "a load's line has to be fetched", {{"line", kHex}}};
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

/// A number that comes with an event, and is written as "name=value".
struct Field {
  std::string_view name;
  Format format = Format::decimal;
};
inline constexpr std::size_t kMostFields = 5;
/// The value of a field that an event does not have: nothing is written.
inline constexpr std::uint64_t kNothing = ~std::uint64_t{0};

/// A kind of event: a constant, which registers itself by being made.
class Kind {
 public:
  /// The texts are literals.
  Kind(std::string_view name, std::string_view meaning, std::initializer_list<Field> fields = {});
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;

  std::string_view name() const { return name_; }
  std::string_view meaning() const { return meaning_; }
  std::size_t fields() const { return count_; }
  const Field& field(std::size_t i) const { return fields_[i]; }

  /// By name.
  static std::vector<const Kind*> all();

 private:
  std::string_view name_;
  std::string_view meaning_;
  std::array<Field, kMostFields> fields_{};
  std::size_t count_ = 0;
};

/// What something happens for: a warp's instruction or, in a partition, a multiprocessor.
struct Origin {
  static constexpr std::uint16_t kNobody = 0xffff;
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  std::uint16_t sm = kNobody;
  std::uint16_t warp = kNobody;  ///< Its slot.
  std::uint32_t pc = kNowhere;
};

struct Event {
  Cycle at;  ///< Of the core's clock. It may be noted before it happens.
  const Kind* kind = nullptr;
  Origin origin{};
  std::string_view cause{};                         ///< Why or what, in a word; a literal.
  std::array<std::uint64_t, kMostFields> values{};  ///< Of the kind's fields.
};

}  // namespace heddle::trace
