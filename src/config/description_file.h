#pragma once

// Descriptions in TOML: a table for each part, a key for each parameter. Of groups there may be any
// number, under names that a description chooses: [group.NAME], with parts of their own.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/declarations.h"

namespace heddle::config {

/// What a description says of itself, beside its parameters.
struct Heading {
  std::string summary;   ///< One line.
  std::string based_on;  ///< Another description, which this one changes; empty for none.
};

class DescriptionFile {
 public:
  /// `file` is for messages. Throws InputError, with the place, for what is not TOML.
  DescriptionFile(std::string_view text, std::string file);
  DescriptionFile(DescriptionFile&&) noexcept;
  DescriptionFile& operator=(DescriptionFile&&) noexcept;
  ~DescriptionFile();

  const std::string& file() const { return file_; }
  /// Throws InputError, with the place, where `summary` or `based_on` is no string.
  Heading heading() const;
  /// Sets the parameters that it names, but for those of groups; the others keep their values.
  /// Throws InputError with file, line and column for what is not declared (naming the nearest that
  /// is), and what is out of range. Some parameters may have been set by then.
  void read(const Declarations& declarations) const;
  /// Its groups, in the order of its text. Throws InputError, with the place, for what is no group,
  /// and for names that could not be part of a parameter's.
  std::vector<std::string> group_names() const;
  /// Sets the parameters of groups alone, which are declared as "group.NAME.…", as read() does the
  /// others.
  void read_groups(const Declarations& declarations) const;

 private:
  struct Parsed;

  std::string file_;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace heddle::config
