#pragma once

// Which sources a result comes from. A machine has an answer to each of the simulator's questions
// (config/answer_registry.h), each in a file of its own; those that it has not chosen make nothing
// of its results.

#include <string>
#include <string_view>
#include <vector>

#include "gpu/machine.h"

namespace heddle::lab {

struct AnswerSource {
  std::string_view name;  ///< As descriptions have it: "round-robin".
  std::string_view file;  ///< Below the checkout's root.
  std::string_view digest;
};

/// Digests of the sources that results depend on.
struct Sources {
  std::string_view core;  ///< Of all but the files of answers.
  std::vector<AnswerSource> answers{};

  /// The core and the files of the answers that a machine has, with their digests:
  /// "core:… src/sm/…/round_robin.cpp:…". An answer to another question of the same name counts.
  std::string version_of(gpu::Machine machine) const;
  /// Whether version_of() can come to this: no source in it has changed.
  bool have(std::string_view version) const;
  /// Of all of them.
  std::string digest() const;
};

/// As they were when this program was built.
const Sources& sources();

}  // namespace heddle::lab
