#include "lab/sources.h"

#include <algorithm>
#include <set>
#include <variant>

#include "lab/sha256.h"

namespace heddle::lab {
namespace {

std::string part(std::string_view file, std::string_view digest) {
  return std::string(file) + ":" + std::string(digest);
}

/// The values of all text parameters of a machine: its policies, and others.
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
    if (chosen.contains(policy.name)) files.insert(part(policy.file, policy.digest));
  }
  std::string version = part("core", core);
  for (const std::string& file : files) version += " " + file;
  return version;
}

bool Sources::is_current(std::string_view version) const {
  std::set<std::string, std::less<>> known{part("core", core)};
  for (const PolicySource& policy : policies) known.insert(part(policy.file, policy.digest));
  for (bool more = true; more;) {
    const std::size_t end = version.find(' ');
    if (!known.contains(version.substr(0, end))) return false;
    more = end != std::string_view::npos;
    if (more) version.remove_prefix(end + 1);
  }
  return true;
}

std::string Sources::digest() const {
  std::string all = part("core", core);
  for (const PolicySource& policy : policies) all += " " + part(policy.file, policy.digest);
  return sha256(all);
}

}  // namespace heddle::lab
