#include "lab/report/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/report/markup.h"

namespace heddle::lab::report {
namespace {

/// The width of an average letter and the height of a line of text, in pixels, in the charts' font
/// size of 12 pixels.
constexpr double kLetterWidth = 6.4;
constexpr double kLineHeight = 14;
/// Space above the plot for the number on its highest bar.
constexpr double kTopMargin = 40;
/// Space left of the plot for the axis' title and tick labels.
constexpr double kLeftMargin = 66;
/// A narrow page shrinks a chart to this fraction of its size; a narrower one scrolls it.
constexpr double kMinScale = 0.75;
constexpr double kSlantDegrees = 38;

double slant_sine() { return std::sin(kSlantDegrees * 3.14159265358979 / 180); }
double slant_cosine() { return std::cos(kSlantDegrees * 3.14159265358979 / 180); }

}  // namespace

double text_width(std::string_view text) {
  // UTF-8: continuation bytes of a letter begin with the bits 10.
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  });
  return kLetterWidth * static_cast<double>(letters);
}

Frame::Frame(double plot_width, std::vector<BandLabel> labels, double label_width,
             std::string x_title, double space_above_labels)
    : plot_width_(plot_width),
      labels_(std::move(labels)),
      x_title_(std::move(x_title)),
      space_above_labels_(space_above_labels),
      left_margin_(kLeftMargin) {
  for (const BandLabel& label : labels_)
    widest_label_ = std::max(widest_label_, text_width(label.text));
  labels_are_slanted_ = widest_label_ > label_width;
  for (const BandLabel& label : labels_) {
    const double width = text_width(label.text);
    // Slanted labels end at their position; horizontal ones are centred on it.
    const double before = labels_are_slanted_ ? width * slant_cosine() : width / 2;
    left_margin_ = std::max(left_margin_, before - label.centre + 8);
    if (!labels_are_slanted_)
      right_margin_ = std::max(right_margin_, label.centre + width / 2 - plot_width_ + 8);
  }
}

double Frame::label_height() const {
  return 10 + space_above_labels_ +
         (labels_are_slanted_ ? widest_label_ * slant_sine() + kLineHeight : kLineHeight);
}

std::string Frame::draw_values(const Ticks& ticks, const std::string& title) const {
  const Scale y = value_scale(ticks);
  std::string svg;
  for (const double value : ticks.values) {
    const std::string position = length(y(value));
    svg += leaf("line", {{"class", value == 0 ? "axis" : "grid"},
                         {"x1", "0"},
                         {"x2", length(plot_width_)},
                         {"y1", position},
                         {"y2", position}});
    svg += element("text", {{"class", "mark"}, {"x", "-8"}, {"y", position}, {"dy", "0.35em"}},
                   text(ticks.label(value)));
  }
  svg += element("text",
                 {{"class", "axis-title"},
                  {"transform", fmt::format("translate({} {}) rotate(-90)",
                                            length(14 - left_margin_), length(kPlotHeight / 2))}},
                 text(title));
  return svg;
}

std::string Frame::draw_labels() const {
  std::string svg;
  const double y = kPlotHeight + space_above_labels_ + 18;
  for (const BandLabel& label : labels_) {
    if (labels_are_slanted_) {
      svg += element(
          "text",
          {{"class", "slanted"},
           {"transform", fmt::format("translate({} {}) rotate(-{})", length(label.centre + 4),
                                     length(y - 2), length(kSlantDegrees))}},
          text(label.text));
    } else {
      svg += element("text", {{"class", "label"}, {"x", length(label.centre)}, {"y", length(y)}},
                     text(label.text));
    }
  }
  if (x_title_.empty()) return svg;
  return svg + element("text",
                       {{"class", "axis-title"},
                        {"x", length(plot_width_ / 2)},
                        {"y", length(kPlotHeight + label_height() + kLineHeight)}},
                       text(x_title_));
}

std::string Frame::draw(const Ticks& ticks, const std::string& value_title,
                        const std::string& text_alternative, const std::string& plot) const {
  const double width = left_margin_ + plot_width_ + right_margin_;
  const double height =
      kTopMargin + kPlotHeight + label_height() + 6 + (x_title_.empty() ? 0 : kLineHeight + 4);
  return element("svg",
                 {{"class", "chart"},
                  {"role", "img"},
                  {"aria-label", text_alternative},
                  {"viewBox", fmt::format("0 0 {} {}", length(width), length(height))},
                  {"width", length(width)},
                  {"height", length(height)},
                  {"style", fmt::format("min-width:{}px", length(kMinScale * width))}},
                 element("g",
                         {{"transform", fmt::format("translate({} {})", length(left_margin_),
                                                    length(kTopMargin))}},
                         draw_values(ticks, value_title) + plot + draw_labels()));
}

std::string baseline_mark(const Ticks& ticks, double plot_width) {
  if (ticks.low() > 1 || ticks.high() < 1) return "";
  const std::string position = length(Frame::value_scale(ticks)(1));
  return leaf("line", {{"class", "baseline"},
                       {"x1", "0"},
                       {"x2", length(plot_width)},
                       {"y1", position},
                       {"y2", position}});
}

}  // namespace heddle::lab::report
