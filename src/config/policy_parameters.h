#pragma once

#include <any>
#include <map>
#include <typeindex>
#include <typeinfo>

namespace heddle::config {

/// The parameters of the policies of one seam (config/policy_registry.h), as part of a description.
/// Each policy that has parameters names a struct of them; policies that name the same struct share
/// it. The parameters are copied with the description.
class PolicyParameters {
 public:
  template <class Own>
  Own& of() {
    std::any& own = by_type_[typeid(Own)];
    if (!own.has_value()) own.emplace<Own>();
    return *std::any_cast<Own>(&own);
  }
  /// Returns the defaults if these parameters were never accessed for writing.
  template <class Own>
  const Own& of() const {
    if (const auto found = by_type_.find(typeid(Own)); found != by_type_.end()) {
      return *std::any_cast<Own>(&found->second);
    }
    static const Own defaults{};
    return defaults;
  }

 private:
  // A map keeps its values in place: declarations hold their addresses.
  std::map<std::type_index, std::any> by_type_;
};

}  // namespace heddle::config
