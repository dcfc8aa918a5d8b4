#pragma once

#include <string>

namespace heddle::energy {

/// Where a figure comes from.
struct Origin {
  std::string source;      ///< A paper's table, a published measurement, or our reasoning.
  std::string technology;  ///< The technology whose description contains the figure.
  std::string place;       ///< Where in that description: "file:line:column".
};

}  // namespace heddle::energy
