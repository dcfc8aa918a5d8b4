#pragma once

// Versions of a word. A version says what the word can contain at a point of a strand:
// - the result of one instruction of the strand;
// - after paths merge, the result of one of several instructions;
// - a value from another strand, which only the main register file contains.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/code_order.h"

namespace heddle::code {

/// An instruction's write to a word.
struct Definition {
  Position at = 0;
  std::uint16_t word = 0;
  bool keeps_old = false;   ///< Its guard makes some threads keep the earlier result.
  bool only_main = false;   ///< The result is not written to the upper levels.
  bool live_out = false;    ///< An instruction after the strand reads the result.
  bool needs_main = false;  ///< A read that it reaches must be served by the main register file.
};

using VersionIndex = std::uint32_t;

/// The versions of all words. A merged version has parts: the versions that it merges.
class Versions {
 public:
  /// The version of a word that another strand wrote.
  static constexpr VersionIndex kFromMain = 0;

  Versions();

  /// Adds the version that contains the result of this definition alone.
  VersionIndex define(const Definition& definition);
  /// Adds a version that contains one of `parts`, or returns the part if all are the same.
  VersionIndex merge(std::span<const VersionIndex> parts);

  /// Whether the word may contain a result that only the main register file contains.
  bool is_from_main(VersionIndex version) const { return versions_[version].from_main; }
  const std::vector<Definition>& definitions() const { return definitions_; }

  /// These mark all definitions in the version.
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
    // Marks. If a version has one, so do all its parts.
    bool live_out = false, needs_main = false, joined = false;
    /// Its definition. A merged version has kNone, but once joined any definition of its parts.
    std::uint32_t definition = kNone;
    std::vector<VersionIndex> parts{};
  };

  /// Calls visit(version) for the version, and for its parts if visit returns true.
  template <class Visit>
  void walk(VersionIndex version, Visit visit);

  std::vector<Version> versions_;
  std::vector<Definition> definitions_;
  std::vector<std::uint32_t> parent_;  ///< By definition: union-find forest; each tree is a value.
  std::vector<VersionIndex> work_;     ///< Used by walk(): the versions still to be visited.
  std::vector<std::uint32_t> seen_;  ///< By version: the last call of definitions_in() that saw it.
  std::uint32_t call_number_ = 0;    ///< The number of calls of definitions_in() so far.
};

}  // namespace heddle::code
