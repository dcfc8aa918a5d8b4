#include "lab/report/power_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lab/report/frame.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/style.h"

namespace heddle::lab::report {
namespace {

using Stretch = PowerChart::Stretch;

constexpr double kWidth = 820;
constexpr double kHeight = Frame::kPlotHeight;
constexpr double kLeft = 64;
constexpr double kTop = 88;
constexpr double kBelow = 56;
constexpr double kLegend = 190;
constexpr double kLegendLine = 20;
/// Stretches that would be narrower than this are merged with their neighbours.
constexpr double kLeastWidth = 1;
/// Minimum width of a launch whose begin is marked.
constexpr double kLeastLaunch = 12;

double cycles_of(const Stretch& stretch) {
  return static_cast<double>((stretch.end - stretch.begin).count);
}

double height_of(const Stretch& stretch) {
  return std::accumulate(stretch.watts.begin(), stretch.watts.end(), 0.0);
}

std::string picture(const PowerChart& chart, double height, const std::string& plot) {
  const double width = kLeft + kWidth + kLegend;
  const std::string heading =
      element("text", {{"class", "title"}, {"x", "14"}, {"y", "26"}}, text(chart.title)) +
      element("text", {{"class", "quiet"}, {"x", "14"}, {"y", "46"}}, text(chart.subtitle));
  return element("svg",
                 {{"xmlns", "http://www.w3.org/2000/svg"},
                  {"class", "chart"},
                  {"role", "img"},
                  {"aria-label", chart.title + ". " + chart.subtitle},
                  {"viewBox", fmt::format("0 0 {} {}", length(width), length(height))},
                  {"width", length(width)},
                  {"height", length(height)}},
                 element("style", {}, picture_style()) +
                     leaf("rect", {{"class", "ground"}, {"width", "100%"}, {"height", "100%"}}) +
                     heading + plot) +
         "\n";
}

/// The lowest part is grey; the others have the series' colours.
std::string fill(std::size_t part) {
  return part == 0 ? "baseline-fill" : fmt::format("colour-{}", (part - 1) % kColours);
}

class PowerPicture {
 public:
  explicit PowerPicture(const PowerChart& chart)
      : chart_(chart),
        peak_(*std::max_element(
            chart.stretches.begin(), chart.stretches.end(),
            [](const Stretch& a, const Stretch& b) { return height_of(a) < height_of(b); })),
        ticks_(make_ticks(0, height_of(peak_), 8)),
        begin_(chart.stretches.front().begin.number),
        x_(static_cast<double>(begin_), static_cast<double>(chart.stretches.back().end.number), 0,
           kWidth),
        y_(Frame::value_scale(ticks_)),
        drawn_(joined()) {}

  std::string draw() const {
    const double height =
        kTop + std::max(kHeight + kBelow, static_cast<double>(chart_.parts.size()) * kLegendLine);
    return picture(
        chart_, height,
        element("g", {{"transform", fmt::format("translate({} {})", length(kLeft), length(kTop))}},
                grid() + areas() + launches() + peak_mark() + legend()));
  }

 private:
  double x(Cycle cycle) const { return x_(static_cast<double>(cycle.number)); }

  /// The chart's stretches, with those that are too narrow merged with their neighbours.
  std::vector<Stretch> joined() const {
    std::vector<Stretch> wide;
    for (const Stretch& stretch : chart_.stretches) {
      const bool joins = !wide.empty() && wide.back().end == stretch.begin &&
                         x(wide.back().end) - x(wide.back().begin) < kLeastWidth;
      if (!joins) {
        wide.push_back(stretch);
        continue;
      }
      Stretch& to = wide.back();
      const double share = cycles_of(stretch) / (cycles_of(to) + cycles_of(stretch));
      for (std::size_t i = 0; i < to.watts.size(); ++i) {
        to.watts[i] += share * (stretch.watts[i] - to.watts[i]);
      }
      to.end = stretch.end;
    }
    return wide;
  }

  std::string grid() const {
    std::string drawn;
    for (const double value : ticks_.values) {
      const std::string place = length(y_(value));
      drawn += leaf("line", {{"class", value == 0 ? "axis" : "grid"},
                             {"x2", length(kWidth)},
                             {"y1", place},
                             {"y2", place}});
      drawn += element("text", {{"class", "mark"}, {"x", "-8"}, {"y", place}, {"dy", "0.35em"}},
                       text(ticks_.label(value)));
    }
    const double end = static_cast<double>(chart_.stretches.back().end.number);
    const Ticks cycles = make_ticks(static_cast<double>(begin_), end, 11);
    for (const double value : cycles.values) {
      if (value < static_cast<double>(begin_) || value > end) continue;
      const std::string place = length(x_(value));
      drawn += leaf("line", {{"class", "axis"},
                             {"x1", place},
                             {"x2", place},
                             {"y1", length(kHeight)},
                             {"y2", length(kHeight + 5)}});
      drawn += element("text", {{"class", "label"}, {"x", place}, {"y", length(kHeight + 20)}},
                       text(cycles.label(value)));
    }
    return drawn + axis_title(kWidth / 2, kHeight + 42, "cycle", "") +
           axis_title(-44, kHeight / 2, "watts", "rotate(-90)");
  }

  static std::string axis_title(double x, double y, const char* title, const std::string& turned) {
    return element("text",
                   {{"class", "axis-title"},
                    {"transform", fmt::format("translate({} {}){}{}", length(x), length(y),
                                              turned.empty() ? "" : " ", turned)}},
                   title);
  }

  /// The stacked areas, the lowest first. Each is one path: forward along its top in steps, and
  /// back along the top of the part below.
  std::string areas() const {
    std::string drawn;
    std::vector<double> below(drawn_.size(), 0);
    for (std::size_t part = 0; part < chart_.parts.size(); ++part) {
      std::vector<double> above = below;
      for (std::size_t i = 0; i < drawn_.size(); ++i) above[i] += drawn_[i].watts[part];
      drawn += element("path", {{"class", fill(part)}, {"d", outline(below, above)}},
                       element("title", {}, text(chart_.parts[part])));
      below = std::move(above);
    }
    return drawn;
  }

  std::string outline(const std::vector<double>& below, const std::vector<double>& above) const {
    std::string path;
    for (std::size_t first = 0; first < drawn_.size();) {
      // Up to the next gap.
      std::size_t last = first;
      while (last + 1 < drawn_.size() && drawn_[last].end == drawn_[last + 1].begin) ++last;
      path += fmt::format("M{},{}", length(x(drawn_[first].begin)), length(y_(above[first])));
      for (std::size_t i = first; i <= last; ++i) {
        path += fmt::format("V{}H{}", length(y_(above[i])), length(x(drawn_[i].end)));
      }
      for (std::size_t i = last + 1; i-- > first;) {
        path += fmt::format("V{}H{}", length(y_(below[i])), length(x(drawn_[i].begin)));
      }
      path += "Z";
      first = last + 1;
    }
    return path;
  }

  /// Marks where launches begin, and their names if there is space.
  std::string launches() const {
    std::string drawn;
    for (const PowerChart::Launch& launch : chart_.launches) {
      const double begin = x(launch.begin);
      const double room = x(launch.end) - begin;
      if (room < kLeastLaunch) continue;
      drawn += leaf("line", {{"class", "separator"},
                             {"x1", length(begin)},
                             {"x2", length(begin)},
                             {"y1", "-18"},
                             {"y2", length(kHeight)}});
      if (text_width(launch.kernel) + 8 > room) continue;
      drawn += element("text", {{"class", "quiet"}, {"x", length(begin)}, {"y", "-22"}},
                       text(launch.kernel));
    }
    return drawn;
  }

  /// Marks the stretch of highest power, even if it is drawn merged with others.
  std::string peak_mark() const {
    const std::string middle = length((x(peak_.begin) + x(peak_.end)) / 2);
    const double top = y_(height_of(peak_));
    return leaf("line", {{"class", "peak"},
                         {"x1", middle},
                         {"x2", middle},
                         {"y1", length(top)},
                         {"y2", length(kHeight)}}) +
           leaf("path", {{"class", "peak"},
                         {"d", fmt::format("M{},{}l-4,-7h8z", middle, length(top - 2))}});
  }

  std::string legend() const {
    std::string drawn;
    const std::size_t count = chart_.parts.size();
    for (std::size_t i = 0; i < count; ++i) {
      // The topmost part first, in the order of the stack.
      const std::size_t part = count - 1 - i;
      const double top = static_cast<double>(i) * kLegendLine;
      drawn += leaf("rect", {{"class", fill(part)},
                             {"x", length(kWidth + 20)},
                             {"y", length(top)},
                             {"width", "20"},
                             {"height", "13"}});
      drawn += element("text", {{"x", length(kWidth + 48)}, {"y", length(top + 11)}},
                       text(chart_.parts[part]));
    }
    return drawn;
  }

  const PowerChart& chart_;
  const Stretch& peak_;
  Ticks ticks_;
  std::uint64_t begin_;
  Scale x_;
  Scale y_;
  std::vector<Stretch> drawn_;
};

}  // namespace

std::string draw_power(const PowerChart& chart) {
  if (chart.stretches.empty()) return picture(chart, kTop, "");
  return PowerPicture(chart).draw();
}

}  // namespace heddle::lab::report
