#pragma once

// HTML and SVG as text. Everything that comes from a file passes through text() or an attribute's
// value, so that it can neither begin nor end an element.

#include <initializer_list>
#include <string>
#include <string_view>

namespace heddle::lab::report {

struct Attribute {
  std::string_view name;
  std::string value;
};
using Attributes = std::initializer_list<Attribute>;

/// Escapes a text: special characters of HTML become character references, and characters that HTML
/// does not allow become replacement characters.
std::string text(std::string_view plain);
/// An element with `content`, which is markup.
std::string element(std::string_view name, Attributes attributes, std::string_view content);
/// An SVG element without content.
std::string leaf(std::string_view name, Attributes attributes);
/// A length in pixels as text, rounded to a hundredth; "0" for infinities and NaN.
std::string length(double value);

}  // namespace heddle::lab::report
