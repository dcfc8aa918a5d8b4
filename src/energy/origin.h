#pragma once

#include <string>

namespace heddle::energy {

/// Where a figure comes from.
struct Origin {
  std::string source;      ///< Paper and table, or a published measurement, or our reasoning.
  std::string technology;  ///< The technology that states it.
  std::string place;       ///< "file:line:column"
};

}  // namespace heddle::energy
