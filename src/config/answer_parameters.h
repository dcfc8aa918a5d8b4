#pragma once

#include <any>
#include <map>
#include <typeindex>
#include <typeinfo>

namespace heddle::config {

/// What answers to one question (config/answer_registry.h) say of themselves in a description: a
/// struct for each that has parameters. Answers that name the same struct share it. It is copied
/// with the description.
class AnswerParameters {
 public:
  template <class Own>
  Own& of() {
    std::any& own = by_type_[typeid(Own)];
    if (!own.has_value()) own.emplace<Own>();
    return *std::any_cast<Own>(&own);
  }
  /// The defaults where they were never touched.
  template <class Own>
  const Own& of() const {
    if (const auto found = by_type_.find(typeid(Own)); found != by_type_.end()) {
      return *std::any_cast<Own>(&found->second);
    }
    static const Own defaults{};
    return defaults;
  }

 private:
  std::map<std::type_index, std::any> by_type_;  ///< They stay where they are: declared by address.
};

}  // namespace heddle::config
