#pragma once

#include <string>

namespace heddle::energy {

/// What stands beside every figure.
struct Origin {
  std::string source;      ///< Paper and table, or a published measurement, or our reasoning.
  std::string technology;  ///< The one that states it.
  std::string place;       ///< "file:line:column"
};

}  // namespace heddle::energy
