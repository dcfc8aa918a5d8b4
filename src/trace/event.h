#pragma once

// The events that parts of the chip record while tracing is on. An event holds numbers and constant
// texts; it becomes a line of text only when it is written (trace/line.h).
//
//   // Beside the code that records it:
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
/// The maximum number of fields of a kind.
inline constexpr std::size_t kMaxFields = 5;
/// The value of a field that does not apply to an event. The line of the event leaves the field
/// out.
inline constexpr std::uint64_t kNothing = ~std::uint64_t{0};

/// A kind of event: a constant that registers itself when it is constructed.
class Kind {
 public:
  /// The texts must be string literals, because they are not copied.
  Kind(std::string_view name, std::string_view meaning, std::initializer_list<Field> fields = {});
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;

  std::string_view name() const { return name_; }
  std::string_view meaning() const { return meaning_; }
  std::size_t field_count() const { return count_; }
  const Field& field(std::size_t i) const { return fields_[i]; }

  /// All registered kinds, sorted by name.
  static std::vector<const Kind*> all();

 private:
  std::string_view name_;
  std::string_view meaning_;
  std::array<Field, kMaxFields> fields_{};
  std::size_t count_ = 0;
};

/// Where an event comes from: a warp's instruction or, for events of a partition, the
/// multiprocessor whose request it handles.
struct Origin {
  static constexpr std::uint16_t kNone = 0xffff;
  static constexpr std::uint32_t kNoPc = ~std::uint32_t{0};

  std::uint16_t sm = kNone;
  std::uint16_t warp = kNone;  ///< The number of the warp's slot on its multiprocessor.
  std::uint32_t pc = kNoPc;
};

/// Something that happens at one place of the chip (trace/log.h) in one cycle.
struct Event {
  Cycle at;  ///< In cycles of the core clock. An event may be recorded before it happens.
  const Kind* kind = nullptr;
  Origin origin{};
  /// The reason for the event or its subject: a string literal, or Trace::intern().
  std::string_view cause{};
  std::array<std::uint64_t, kMaxFields> values{};  ///< The values of the kind's fields.
};

}  // namespace heddle::trace
