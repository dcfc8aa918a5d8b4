#pragma once

// Descriptions in TOML: a table for each part, a key for each parameter. Of groups there may be any
// number, under names that a description chooses: [group.NAME], with parts of their own.

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

/// Reads the heading of a description, and nothing else. Throws InputError, with the place, for
/// what is not TOML.
Heading read_heading(std::string_view text, const std::string& file);

/// Sets the parameters that a description names, but for those of groups; the others keep their
/// values. Throws InputError with file, line and column for what is not TOML, what is not declared
/// (naming the nearest that is), and what is out of range. Some parameters may have been set by
/// then.
void read_description(std::string_view text, const std::string& file,
                      const Declarations& declarations);

/// The groups of a description, in the order of its text. Throws InputError, with the place, for
/// what is no group, and for names that could not be part of a parameter's.
std::vector<std::string> read_group_names(std::string_view text, const std::string& file);
/// Sets the parameters of groups alone, which are declared as "group.NAME.…", as read_description
/// does the others.
void read_groups(std::string_view text, const std::string& file, const Declarations& declarations);

}  // namespace heddle::config
