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
  /// Sets the parameters that the file names, except those of groups; the others keep their values.
  /// Throws InputError with file, line and column if a parameter is not declared (the message
  /// suggests the nearest one) or a value is out of range. Some parameters may then be set already.
  void read(const Declarations& declarations) const;
  /// The names of the groups, in the order of the text. Throws InputError with the location if a
  /// group is not a table, or if its name cannot be part of a parameter's name.
  std::vector<std::string> group_names() const;
  /// Sets only the parameters of groups, which are declared as "group.NAME.…". Otherwise like
  /// read().
  void read_groups(const Declarations& declarations) const;

 private:
  struct Parsed;

  std::string file_;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace heddle::config
