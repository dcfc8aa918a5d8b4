#include "lab/report/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/report/markup.h"

namespace heddle::lab::report {
namespace {

/// Width of an average letter and height of a line of text in the charts' font size, 12 px.
constexpr double kLetter = 6.4;
constexpr double kLine = 14;
/// Space above the plot for the number on its highest bar.
constexpr double kTop = 40;
/// Space left of the plot for the axis' title and tick labels.
constexpr double kLeft = 66;
constexpr double kLeastSize = 0.75;
constexpr double kSlant = 38;  // degrees

double slant_sine() { return std::sin(kSlant * 3.14159265358979 / 180); }
double slant_cosine() { return std::cos(kSlant * 3.14159265358979 / 180); }

}  // namespace

double text_width(std::string_view text) {
  // UTF-8: continuation bytes of a letter begin with the bits 10.
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  });
  return kLetter * static_cast<double>(letters);
}

Frame::Frame(double plot_width, std::vector<BandLabel> labels, double room, std::string x_title,
             double above_labels)
    : plot_width_(plot_width),
      labels_(std::move(labels)),
      x_title_(std::move(x_title)),
      above_labels_(above_labels),
      left_(kLeft) {
  for (const BandLabel& label : labels_) widest_ = std::max(widest_, text_width(label.text));
  slanted_ = widest_ > room;
  for (const BandLabel& label : labels_) {
    const double width = text_width(label.text);
    // Slanted labels end at their position; horizontal ones are centred on it.
    const double before = slanted_ ? width * slant_cosine() : width / 2;
    left_ = std::max(left_, before - label.centre + 8);
    if (!slanted_) right_ = std::max(right_, label.centre + width / 2 - plot_width_ + 8);
  }
}

double Frame::label_height() const {
  return 10 + above_labels_ + (slanted_ ? widest_ * slant_sine() + kLine : kLine);
}

std::string Frame::draw_values(const Ticks& ticks, const std::string& title) const {
  const Scale y = value_scale(ticks);
  std::string drawn;
  for (const double value : ticks.values) {
    const std::string place = length(y(value));
    drawn += leaf("line", {{"class", value == 0 ? "axis" : "grid"},
                           {"x1", "0"},
                           {"x2", length(plot_width_)},
                           {"y1", place},
                           {"y2", place}});
    drawn += element("text", {{"class", "mark"}, {"x", "-8"}, {"y", place}, {"dy", "0.35em"}},
                     text(ticks.label(value)));
  }
  drawn += element("text",
                   {{"class", "axis-title"},
                    {"transform", fmt::format("translate({} {}) rotate(-90)", length(14 - left_),
                                              length(kPlotHeight / 2))}},
                   text(title));
  return drawn;
}

std::string Frame::draw_labels() const {
  std::string drawn;
  const double y = kPlotHeight + above_labels_ + 18;
  for (const BandLabel& label : labels_) {
    if (slanted_) {
      drawn += element(
          "text",
          {{"class", "slanted"},
           {"transform", fmt::format("translate({} {}) rotate(-{})", length(label.centre + 4),
                                     length(y - 2), length(kSlant))}},
          text(label.text));
    } else {
      drawn += element("text", {{"class", "label"}, {"x", length(label.centre)}, {"y", length(y)}},
                       text(label.text));
    }
  }
  if (x_title_.empty()) return drawn;
  return drawn + element("text",
                         {{"class", "axis-title"},
                          {"x", length(plot_width_ / 2)},
                          {"y", length(kPlotHeight + label_height() + kLine)}},
                         text(x_title_));
}

std::string Frame::draw(const Ticks& ticks, const std::string& value_title,
                        const std::string& described, const std::string& plot) const {
  const double width = left_ + plot_width_ + right_;
  const double height =
      kTop + kPlotHeight + label_height() + 6 + (x_title_.empty() ? 0 : kLine + 4);
  return element(
      "svg",
      {{"class", "chart"},
       {"role", "img"},
       {"aria-label", described},
       {"viewBox", fmt::format("0 0 {} {}", length(width), length(height))},
       {"width", length(width)},
       {"height", length(height)},
       // The chart shrinks a little on a narrow page, and scrolls on a narrower one.
       {"style", fmt::format("min-width:{}px", length(kLeastSize * width))}},
      element("g", {{"transform", fmt::format("translate({} {})", length(left_), length(kTop))}},
              draw_values(ticks, value_title) + plot + draw_labels()));
}

std::string baseline_mark(const Ticks& ticks, double plot_width) {
  if (ticks.low() > 1 || ticks.high() < 1) return "";
  const std::string place = length(Frame::value_scale(ticks)(1));
  return leaf("line", {{"class", "baseline"},
                       {"x1", "0"},
                       {"x2", length(plot_width)},
                       {"y1", place},
                       {"y2", place}});
}

}  // namespace heddle::lab::report
