#pragma once

// Versions of a word. A version says what the word can contain at a point of a strand: the result
// of one instruction of the strand, the result of one of several (after paths merge), or a value
// from another strand, which only the main register file contains.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/code_order.h"

namespace heddle::code {

/// An instruction's write to a word.
struct Definition {
  Position at = 0;
  std::uint16_t word = 0;
  bool keeps_old = false;   ///< It is guarded: some threads keep the earlier result.
  bool only_main = false;   ///< The result bypasses the upper levels.
  bool live_out = false;    ///< The result is read after its strand.
  bool needs_main = false;  ///< A read that it reaches must be served by the main register file.
};

using VersionIndex = std::uint32_t;

/// The versions of all words. A merged version refers to the versions that it merges.
class Versions {
 public:
  /// The version of a word that another strand wrote.
  static constexpr VersionIndex kFromMain = 0;

  Versions();

  VersionIndex define(const Definition& definition);
  VersionIndex merge(std::span<const VersionIndex> parts);

  /// Whether the word may contain a result that only the main register file contains.
  bool is_from_main(VersionIndex version) const { return versions_[version].from_main; }
  const std::vector<Definition>& definitions() const { return definitions_; }

  void mark_live_out(VersionIndex version);
  void mark_needs_main(VersionIndex version);
  /// Joins all definitions in the version into one value, since a read needs all of them in the
  /// same place.
  void join(VersionIndex version);

  /// The representative of the value to which a definition belongs.
  std::uint32_t value_of(std::uint32_t definition);
  std::uint32_t value_of_version(VersionIndex version) {
    return value_of(versions_[version].definition);
  }
  /// Indices of the definitions that the version contains, in ascending order.
  std::vector<std::uint32_t> definitions_in(VersionIndex version);

 private:
  struct Version {
    bool from_main = false;
    bool live_out = false, needs_main = false, joined = false;  ///< If set, then also in all parts.
    std::uint32_t definition = kNone;  ///< Its own; if joined, any definition of its parts.
    std::vector<VersionIndex> parts{};
  };

  /// Calls visit(version) for the version, and for its parts if visit returns true.
  template <class Visit>
  void walk(VersionIndex version, Visit visit);

  std::vector<Version> versions_;
  std::vector<Definition> definitions_;
  std::vector<std::uint32_t> parent_;  ///< By definition: union-find forest; each tree is a value.
  std::vector<VersionIndex> work_;
  std::vector<std::uint32_t> seen_;  ///< By version: the last walk_number_ that visited it.
  std::uint32_t walk_number_ = 0;    ///< The number of calls of definitions_in() so far.
};

}  // namespace heddle::code
