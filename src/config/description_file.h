#pragma once

// Machine descriptions in TOML: a table for each part and a key for each parameter. A description
// may define any number of groups as [group.NAME]; each group has parts of its own.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/declarations.h"

namespace heddle::config {

/// The keys of a description that are not parameters.
struct Heading {
  std::string summary;   ///< One line.
  std::string based_on;  ///< The description that this one modifies; empty for none.
};

/// A machine description that has been parsed.
class DescriptionFile {
 public:
  /// `file` appears in messages. Throws InputError with the location if the text is not valid TOML.
  DescriptionFile(std::string_view text, std::string file);
  DescriptionFile(DescriptionFile&&) noexcept;
  DescriptionFile& operator=(DescriptionFile&&) noexcept;
  ~DescriptionFile();

  const std::string& file() const { return file_; }
  /// Throws InputError with the location if `summary` or `based_on` is not a string.
  Heading heading() const;
  /// Sets the parameters that the file gives, except those of groups. All other parameters keep
  /// their values. Throws InputError with file, line and column if a parameter is not declared (the
  /// message suggests the nearest name) or a value is out of range. Parameters before the mistake
  /// stay set.
  void read(const Declarations& declarations) const;
  /// The names of the groups, in the order of the text; none if there are no groups. Throws
  /// InputError with the location if a group is not a table, or if its name cannot be part of a
  /// parameter's name.
  std::vector<std::string> group_names() const;
  /// Sets only the parameters of groups, which are declared as "group.NAME.…"; otherwise it works
  /// like read().
  void read_groups(const Declarations& declarations) const;

 private:
  struct Parsed;

  std::string file_;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace heddle::config
