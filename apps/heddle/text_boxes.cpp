#include "text_boxes.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

constexpr std::size_t kFrame = 4;  ///< Columns of a frame: a border and a space on either side.
constexpr std::size_t kGap = 1;    ///< Columns between two frames.

/// The width in characters: continuation bytes of UTF-8 do not count.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string repeated(const char* character, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += character;
  return text;
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t width = width_of(text);
  return text + std::string(columns > width ? columns - width : 0, ' ');
}

/// Breaks lines that are too long, at spaces if possible.
TextBlock wrapped(const TextBlock& lines, std::size_t columns) {
  TextBlock result;
  for (std::string line : lines) {
    while (width_of(line) > columns) {
      const std::size_t space = line.rfind(' ', columns);
      const bool at_space = space != std::string::npos && space != 0;
      result.push_back(line.substr(0, at_space ? space : columns));
      line.erase(0, at_space ? space + 1 : columns);
    }
    result.push_back(line);
  }
  return result;
}

TextBlock framed(const std::string& title, const TextBlock& lines, std::size_t columns) {
  TextBlock result;
  // The columns of the upper border's beginning and its right corner.
  const std::size_t used = title.empty() ? 3 : 5 + width_of(title);
  result.push_back((title.empty() ? "┌─" : "┌─ " + title + " ") +
                   repeated("─", columns > used ? columns - used : 0) + "┐");
  for (const std::string& line : lines) {
    result.push_back("│ " + padded(line, width_inside_frame(columns)) + " │");
  }
  result.push_back("└" + repeated("─", columns - 2) + "┘");
  return result;
}

}  // namespace

std::size_t width_inside_frame(std::size_t columns) { return columns - kFrame; }

TextBlock draw_row(const std::vector<TextBox>& boxes, std::size_t columns) {
  const std::size_t shared = columns - kGap * (boxes.size() - 1);
  std::vector<TextBlock> contents;
  std::vector<std::size_t> widths;
  std::size_t height = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    // The first boxes get the columns that the division leaves over.
    widths.push_back(shared / boxes.size() + (i < shared % boxes.size() ? 1 : 0));
    contents.push_back(wrapped(boxes[i].lines, width_inside_frame(widths[i])));
    height = std::max(height, contents[i].size());
  }
  TextBlock result;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    contents[i].resize(height);
    const TextBlock frame = framed(boxes[i].title, contents[i], widths[i]);
    if (result.empty()) {
      result = frame;
      continue;
    }
    for (std::size_t line = 0; line < frame.size(); ++line) {
      result[line] += std::string(kGap, ' ') + frame[line];
    }
  }
  return result;
}

std::string centred(const std::string& text, std::size_t columns) {
  const std::size_t width = width_of(text);
  const std::size_t indent = columns > width ? (columns - width) / 2 : 0;
  return padded(std::string(indent, ' ') + text, columns);
}

}  // namespace heddle
