#include "lab/report/markup.h"

#include <fmt/format.h>

#include <cmath>

namespace heddle::lab::report {
namespace {

/// A start tag without its final ">".
std::string start_tag(std::string_view name, Attributes attributes) {
  std::string markup = fmt::format("<{}", name);
  for (const Attribute& attribute : attributes) {
    markup += fmt::format(" {}=\"{}\"", attribute.name, text(attribute.value));
  }
  return markup;
}

}  // namespace

std::string text(std::string_view plain) {
  std::string escaped;
  escaped.reserve(plain.size());
  for (const char c : plain) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default: {
        const bool is_control =
            (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == '\x7f';
        if (is_control) {
          escaped += "\xef\xbf\xbd";
        } else {
          escaped += c;
        }
      }
    }
  }
  return escaped;
}

std::string element(std::string_view name, Attributes attributes, std::string_view content) {
  return fmt::format("{}>{}</{}>", start_tag(name, attributes), content, name);
}

std::string leaf(std::string_view name, Attributes attributes) {
  return start_tag(name, attributes) + "/>";
}

std::string length(double value) {
  // SVG cannot represent infinities and NaN.
  if (!std::isfinite(value)) return "0";
  const double rounded = std::round(100 * value) / 100;
  return fmt::format("{}", rounded == 0 ? 0 : rounded);
}

}  // namespace heddle::lab::report
