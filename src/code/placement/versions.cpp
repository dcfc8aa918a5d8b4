#include "code/placement/versions.h"

#include <algorithm>
#include <utility>

namespace heddle::code {

Versions::Versions() { versions_.push_back({.from_main = true}); }

VersionIndex Versions::define(const Definition& definition) {
  const auto index = static_cast<std::uint32_t>(definitions_.size());
  definitions_.push_back(definition);
  parent_.push_back(index);
  versions_.push_back({.from_main = definition.only_main, .definition = index});
  return static_cast<VersionIndex>(versions_.size() - 1);
}

VersionIndex Versions::merge(std::span<const VersionIndex> parts) {
  Version merged;
  for (const VersionIndex part : parts) {
    if (std::find(merged.parts.begin(), merged.parts.end(), part) != merged.parts.end()) continue;
    merged.parts.push_back(part);
    merged.from_main = merged.from_main || versions_[part].from_main;
  }
  if (merged.parts.size() == 1) return merged.parts[0];
  versions_.push_back(std::move(merged));
  return static_cast<VersionIndex>(versions_.size() - 1);
}

template <class Visit>
void Versions::walk(VersionIndex version, Visit visit) {
  work_.assign(1, version);
  while (!work_.empty()) {
    const VersionIndex next = work_.back();
    work_.pop_back();
    if (!visit(next)) continue;
    work_.insert(work_.end(), versions_[next].parts.begin(), versions_[next].parts.end());
  }
}

void Versions::mark_live_out(VersionIndex version) {
  walk(version, [&](VersionIndex visited) {
    Version& marked = versions_[visited];
    if (marked.live_out) return false;
    marked.live_out = true;
    if (marked.definition != kNone && marked.parts.empty()) {
      definitions_[marked.definition].live_out = true;
    }
    return true;
  });
}

void Versions::mark_needs_main(VersionIndex version) {
  walk(version, [&](VersionIndex visited) {
    Version& marked = versions_[visited];
    if (marked.needs_main) return false;
    marked.needs_main = true;
    if (marked.definition != kNone && marked.parts.empty()) {
      definitions_[marked.definition].needs_main = true;
    }
    return true;
  });
}

void Versions::join(VersionIndex version) {
  std::uint32_t value = kNone;
  std::vector<VersionIndex> merged;
  walk(version, [&](VersionIndex visited) {
    Version& part = versions_[visited];
    if (part.definition != kNone) {
      const std::uint32_t root = value_of(part.definition);
      if (value != kNone) parent_[std::max(root, value)] = std::min(root, value);
      value = value == kNone ? root : std::min(root, value);
    } else if (!part.joined) {
      merged.push_back(visited);
    }
    const bool known = part.joined;
    part.joined = true;
    return !known;
  });
  for (const VersionIndex visited : merged) versions_[visited].definition = value;
}

std::uint32_t Versions::value_of(std::uint32_t definition) {
  while (parent_[definition] != definition) {
    parent_[definition] = parent_[parent_[definition]];
    definition = parent_[definition];
  }
  return definition;
}

std::vector<std::uint32_t> Versions::definitions_in(VersionIndex version) {
  std::vector<std::uint32_t> found;
  seen_.resize(versions_.size());
  ++call_number_;
  walk(version, [&](VersionIndex visited) {
    if (seen_[visited] == call_number_) return false;
    seen_[visited] = call_number_;
    if (versions_[visited].parts.empty() && versions_[visited].definition != kNone) {
      found.push_back(versions_[visited].definition);
    }
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace heddle::code
