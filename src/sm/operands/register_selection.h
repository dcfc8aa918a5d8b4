#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace heddle::sm {

/// The most registers and predicates that an instruction reads or writes. It has at most twelve
/// sources of four registers each, and a guard.
inline constexpr std::size_t kMaxOperandRegisters = 64;

/// A selection among the registers that an instruction reads, or among those that it writes: of
/// positions in IssueTable::reads() or writes().
class RegisterSelection {
 public:
  static constexpr RegisterSelection all() { return RegisterSelection(~std::uint64_t{0}); }
  static constexpr RegisterSelection none() { return RegisterSelection(0); }

  constexpr bool has_all() const { return *this == all(); }
  constexpr bool empty() const { return *this == none(); }
  constexpr bool contains(std::size_t position) const { return (bits_ & bit(position)) != 0; }
  constexpr RegisterSelection with(std::size_t position) const {
    return RegisterSelection(bits_ | bit(position));
  }
  constexpr RegisterSelection without(std::size_t position) const {
    return RegisterSelection(bits_ & ~bit(position));
  }
  constexpr RegisterSelection without(RegisterSelection other) const {
    return RegisterSelection(bits_ & ~other.bits_);
  }

  friend constexpr RegisterSelection operator&(RegisterSelection a, RegisterSelection b) {
    return RegisterSelection(a.bits_ & b.bits_);
  }
  friend constexpr RegisterSelection operator|(RegisterSelection a, RegisterSelection b) {
    return RegisterSelection(a.bits_ | b.bits_);
  }
  friend constexpr bool operator==(RegisterSelection, RegisterSelection) = default;

 private:
  constexpr explicit RegisterSelection(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(std::size_t position) {
    assert(position < kMaxOperandRegisters);
    return std::uint64_t{1} << position;
  }

  std::uint64_t bits_;
};

/// The registers of an instruction that are accessed. The others take no part in timing or
/// counters.
struct AccessedRegisters {
  RegisterSelection reads = RegisterSelection::all();
  RegisterSelection writes = RegisterSelection::all();

  friend constexpr bool operator==(AccessedRegisters, AccessedRegisters) = default;
};

/// The accessed registers of which only one lane is read or written, because all lanes have the
/// same value. This affects energy, but not timing: the access occupies its bank all the same.
struct OneLaneRegisters {
  RegisterSelection reads = RegisterSelection::none();
  RegisterSelection writes = RegisterSelection::none();
};

}  // namespace heddle::sm
