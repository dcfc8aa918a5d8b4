#include "lab/sources.h"

#include <algorithm>
#include <set>
#include <variant>

#include "lab/sha256.h"

namespace heddle::lab {
namespace {

std::string name_and_digest(std::string_view file, std::string_view digest) {
  return std::string(file) + ":" + std::string(digest);
}

/// The values of all text parameters of a machine: the names of its policies, and other texts.
std::set<std::string, std::less<>> choices_of(gpu::Machine& machine) {
  config::Declarations parameters;
  machine.declare(parameters);
  std::set<std::string, std::less<>> chosen;
  for (const config::Parameter& parameter : parameters.all()) {
    if (const auto* const choice = std::get_if<std::string*>(&parameter.target)) {
      chosen.insert(**choice);
    }
  }
  return chosen;
}

}  // namespace

std::string Sources::version_of(gpu::Machine machine) const {
  const auto chosen = choices_of(machine);
  std::set<std::string> files;
  for (const PolicySource& policy : policies) {
    if (chosen.contains(policy.name)) files.insert(name_and_digest(policy.file, policy.digest));
  }
  std::string version = name_and_digest("core", core);
  for (const std::string& file : files) version += " " + file;
  return version;
}

bool Sources::is_current(std::string_view version) const {
  std::set<std::string, std::less<>> known{name_and_digest("core", core)};
  for (const PolicySource& policy : policies)
    known.insert(name_and_digest(policy.file, policy.digest));
  for (bool more = true; more;) {
    const std::size_t end = version.find(' ');
    if (!known.contains(version.substr(0, end))) return false;
    more = end != std::string_view::npos;
    if (more) version.remove_prefix(end + 1);
  }
  return true;
}

std::string Sources::digest() const {
  std::string all = name_and_digest("core", core);
  for (const PolicySource& policy : policies)
    all += " " + name_and_digest(policy.file, policy.digest);
  return sha256(all);
}

}  // namespace heddle::lab
