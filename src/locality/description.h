#pragma once

#include <string>

#include "config/declarations.h"
#include "locality/options.h"

namespace heddle::locality {

/// The parameters of a machine by which experiments measure locality. The choices are those of
/// Options, by name.
struct Description {
  bool observe = false;
  std::string stream{name_of(StreamKind::warp)};
  std::string accesses{name_of(AccessChoice::all)};
  std::string stage{name_of(Stage::lanes)};
  std::string reading{name_of(Reading::group)};

  void declare(config::Declarations& parameters);
  /// The choices. They are valid if the machine is.
  Options options() const;
};

}  // namespace heddle::locality
