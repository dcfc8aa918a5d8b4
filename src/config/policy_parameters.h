#pragma once

#include <any>
#include <map>
#include <typeindex>
#include <typeinfo>

namespace heddle::config {

/// The parameters of the policies of one seam (a policy interface, config/policy_registry.h), as
/// part of a description. Each policy that has parameters declares a struct for them; policies that
/// name the same struct share it. The parameters are copied with the description.
class PolicyParameters {
 public:
  /// The parameters of this type, for changing them. They have default values at first.
  template <class Parameters>
  Parameters& get() {
    std::any& parameters = by_type_[typeid(Parameters)];
    if (!parameters.has_value()) parameters.emplace<Parameters>();
    return *std::any_cast<Parameters>(&parameters);
  }
  /// Returns the default values if these parameters were never accessed for changing.
  template <class Parameters>
  const Parameters& get() const {
    if (const auto found = by_type_.find(typeid(Parameters)); found != by_type_.end()) {
      return *std::any_cast<Parameters>(&found->second);
    }
    static const Parameters defaults{};
    return defaults;
  }

 private:
  // A map keeps its values in place: declarations hold their addresses.
  std::map<std::type_index, std::any> by_type_;
};

}  // namespace heddle::config
