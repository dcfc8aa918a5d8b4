#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::ptx {

/// The spelling of one value.
template <class Value>
struct Spelling {
  std::string_view text;
  Value value{};
};

/// A fixed map from spellings to values: a hash table that is built at compile time.
template <class Value, std::size_t Count>
class SpellingTable {
 public:
  constexpr explicit SpellingTable(const std::array<Spelling<Value>, Count>& spellings) {
    for (const Spelling<Value>& s : spellings) {
      std::size_t slot = hash(s.text) % kSlots;
      while (!slots_[slot].text.empty()) slot = (slot + 1) % kSlots;
      slots_[slot] = s;
    }
  }

  /// The value with this spelling; empty if there is none.
  constexpr std::optional<Value> find(std::string_view text) const {
    for (std::size_t slot = hash(text) % kSlots; !slots_[slot].text.empty();
         slot = (slot + 1) % kSlots) {
      if (slots_[slot].text == text) return slots_[slot].value;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kSlots = std::bit_ceil(2 * Count + 1);

  static constexpr std::size_t hash(std::string_view text) {
    std::uint32_t h = 2166136261U;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619U;
    return h ^ h >> 15;
  }

  std::array<Spelling<Value>, kSlots> slots_{};
};

}  // namespace heddle::ptx
