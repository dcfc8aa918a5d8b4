#pragma once

// HTML and SVG as text. Whatever comes from a file goes through text() or an attribute's value, so
// that it can neither end an element nor begin one.

#include <initializer_list>
#include <string>
#include <string_view>

namespace heddle::lab::report {

struct Attribute {
  std::string_view name;
  std::string value;
};
using Attributes = std::initializer_list<Attribute>;

/// Characters that mean something in HTML become references to them, and those that it does not
/// allow a replacement character.
std::string text(std::string_view plain);
/// `content` is markup.
std::string element(std::string_view name, Attributes attributes, std::string_view content);
/// An element of SVG that has no content.
std::string leaf(std::string_view name, Attributes attributes);
/// A length in an SVG, to a hundredth.
std::string length(double value);

}  // namespace heddle::lab::report
