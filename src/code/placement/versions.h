#pragma once

// What a word can hold at a place of a strand: the result of one instruction there, of one of
// several, or what is in the main register file alone, as it is from another strand.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/code_order.h"

namespace heddle::code {

struct Definition {
  Position at = 0;
  std::uint16_t word = 0;
  bool keeps_old = false;
  bool only_main = false;   ///< It goes round the upper levels.
  bool live_out = false;    ///< Of its strand.
  bool needs_main = false;  ///< A read that it reaches must be from the main register file.
};

using VersionIndex = std::uint32_t;

/// Versions are made of older ones, and none is made twice of the same.
class Versions {
 public:
  /// What another strand wrote.
  static constexpr VersionIndex kFromMain = 0;

  Versions();

  VersionIndex define(const Definition& definition);
  VersionIndex merge(std::span<const VersionIndex> parts);

  bool is_from_main(VersionIndex version) const { return versions_[version].from_main; }
  const std::vector<Definition>& definitions() const { return definitions_; }

  void mark_live_out(VersionIndex version);
  void mark_needs_main(VersionIndex version);
  /// All that may be here must be in one place: it becomes one value.
  void join(VersionIndex version);

  /// A number that all definitions of one value have.
  std::uint32_t value_of(std::uint32_t definition);
  std::uint32_t value_of_version(VersionIndex version) {
    return value_of(versions_[version].definition);
  }
  /// Indices of the definitions, rising.
  std::vector<std::uint32_t> definitions_in(VersionIndex version);

 private:
  struct Version {
    bool from_main = false;
    bool live_out = false, needs_main = false, joined = false;  ///< With all below.
    std::uint32_t definition = kNone;  ///< Its own; once joined, any of those below.
    std::vector<VersionIndex> parts{};
  };

  /// Calls visit(version) for it and those below, if visit returns true for what is above.
  template <class Visit>
  void walk(VersionIndex version, Visit visit);

  std::vector<Version> versions_;
  std::vector<Definition> definitions_;
  std::vector<std::uint32_t> parent_;  ///< Of definitions: a forest of values.
  std::vector<VersionIndex> work_;
  std::vector<std::uint32_t> seen_;  ///< By version: the last walk of definitions_in().
  std::uint32_t walk_number_ = 0;
};

}  // namespace heddle::code
