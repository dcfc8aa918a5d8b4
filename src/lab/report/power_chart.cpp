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

// All lengths are in pixels.
constexpr double kPlotWidth = 820;
constexpr double kPlotHeight = Frame::kPlotHeight;
constexpr double kLeftMargin = 64;
constexpr double kTopMargin = 88;
constexpr double kBottomMargin = 56;
constexpr double kLegendWidth = 190;
constexpr double kLegendLineHeight = 20;
/// Stretches that would be narrower than this are merged with their neighbours.
constexpr double kMinStretchWidth = 1;
/// The minimum width of a launch whose begin is marked.
constexpr double kMinLaunchWidth = 12;

double cycles_of(const Stretch& stretch) {
  return static_cast<double>((stretch.end - stretch.begin).count);
}

double total_watts(const Stretch& stretch) {
  return std::accumulate(stretch.watts.begin(), stretch.watts.end(), 0.0);
}

std::string picture(const PowerChart& chart, double height, const std::string& plot) {
  const double width = kLeftMargin + kPlotWidth + kLegendWidth;
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

/// The CSS class of a part: the lowest part is grey, the others have the colours of series.
std::string fill(std::size_t part) {
  return part == 0 ? "baseline-fill" : fmt::format("colour-{}", (part - 1) % kColourCount);
}

/// Draws a chart that has at least one stretch.
class PowerPicture {
 public:
  explicit PowerPicture(const PowerChart& chart)
      : chart_(chart),
        peak_(*std::max_element(
            chart.stretches.begin(), chart.stretches.end(),
            [](const Stretch& a, const Stretch& b) { return total_watts(a) < total_watts(b); })),
        ticks_(make_ticks(0, total_watts(peak_), 8)),
        begin_(chart.stretches.front().begin.number),
        x_(static_cast<double>(begin_), static_cast<double>(chart.stretches.back().end.number), 0,
           kPlotWidth),
        y_(Frame::value_scale(ticks_)),
        merged_stretches_(merge_narrow_stretches()) {}

  std::string draw() const {
    const double height =
        kTopMargin + std::max(kPlotHeight + kBottomMargin,
                              static_cast<double>(chart_.parts.size()) * kLegendLineHeight);
    return picture(chart_, height,
                   element("g",
                           {{"transform", fmt::format("translate({} {})", length(kLeftMargin),
                                                      length(kTopMargin))}},
                           grid() + areas() + launches() + peak_mark() + legend()));
  }

 private:
  double x(Cycle cycle) const { return x_(static_cast<double>(cycle.number)); }

  /// The chart's stretches. Those that are too narrow are merged with their neighbours.
  std::vector<Stretch> merge_narrow_stretches() const {
    std::vector<Stretch> merged;
    for (const Stretch& stretch : chart_.stretches) {
      const bool is_merged = !merged.empty() && merged.back().end == stretch.begin &&
                             x(merged.back().end) - x(merged.back().begin) < kMinStretchWidth;
      if (!is_merged) {
        merged.push_back(stretch);
        continue;
      }
      Stretch& to = merged.back();
      const double share = cycles_of(stretch) / (cycles_of(to) + cycles_of(stretch));
      for (std::size_t i = 0; i < to.watts.size(); ++i) {
        to.watts[i] += share * (stretch.watts[i] - to.watts[i]);
      }
      to.end = stretch.end;
    }
    return merged;
  }

  std::string grid() const {
    std::string svg;
    for (const double value : ticks_.values) {
      const std::string position = length(y_(value));
      svg += leaf("line", {{"class", value == 0 ? "axis" : "grid"},
                           {"x2", length(kPlotWidth)},
                           {"y1", position},
                           {"y2", position}});
      svg += element("text", {{"class", "mark"}, {"x", "-8"}, {"y", position}, {"dy", "0.35em"}},
                     text(ticks_.label(value)));
    }
    const double end = static_cast<double>(chart_.stretches.back().end.number);
    const Ticks cycles = make_ticks(static_cast<double>(begin_), end, 11);
    for (const double value : cycles.values) {
      if (value < static_cast<double>(begin_) || value > end) continue;
      const std::string position = length(x_(value));
      svg += leaf("line", {{"class", "axis"},
                           {"x1", position},
                           {"x2", position},
                           {"y1", length(kPlotHeight)},
                           {"y2", length(kPlotHeight + 5)}});
      svg += element("text", {{"class", "label"}, {"x", position}, {"y", length(kPlotHeight + 20)}},
                     text(cycles.label(value)));
    }
    return svg + axis_title(kPlotWidth / 2, kPlotHeight + 42, "cycle", "") +
           axis_title(-44, kPlotHeight / 2, "watts", "rotate(-90)");
  }

  static std::string axis_title(double x, double y, const char* title, const std::string& turned) {
    return element("text",
                   {{"class", "axis-title"},
                    {"transform", fmt::format("translate({} {}){}{}", length(x), length(y),
                                              turned.empty() ? "" : " ", turned)}},
                   title);
  }

  /// The stacked areas, the lowest first. Each area is one path: forward along its top in steps,
  /// and back along the top of the area below.
  std::string areas() const {
    std::string svg;
    std::vector<double> below(merged_stretches_.size(), 0);
    for (std::size_t part = 0; part < chart_.parts.size(); ++part) {
      std::vector<double> above = below;
      for (std::size_t i = 0; i < merged_stretches_.size(); ++i)
        above[i] += merged_stretches_[i].watts[part];
      svg += element("path", {{"class", fill(part)}, {"d", outline(below, above)}},
                     element("title", {}, text(chart_.parts[part])));
      below = std::move(above);
    }
    return svg;
  }

  /// A closed path for each sequence of stretches without gaps.
  std::string outline(const std::vector<double>& below, const std::vector<double>& above) const {
    std::string path;
    for (std::size_t first = 0; first < merged_stretches_.size();) {
      // The last stretch before the next gap.
      std::size_t last = first;
      while (last + 1 < merged_stretches_.size() &&
             merged_stretches_[last].end == merged_stretches_[last + 1].begin)
        ++last;
      path += fmt::format("M{},{}", length(x(merged_stretches_[first].begin)),
                          length(y_(above[first])));
      for (std::size_t i = first; i <= last; ++i) {
        path += fmt::format("V{}H{}", length(y_(above[i])), length(x(merged_stretches_[i].end)));
      }
      for (std::size_t i = last + 1; i-- > first;) {
        path += fmt::format("V{}H{}", length(y_(below[i])), length(x(merged_stretches_[i].begin)));
      }
      path += "Z";
      first = last + 1;
    }
    return path;
  }

  /// Marks where launches begin, and names the launches if there is space.
  std::string launches() const {
    std::string svg;
    for (const PowerChart::Launch& launch : chart_.launches) {
      const double begin = x(launch.begin);
      const double width = x(launch.end) - begin;
      if (width < kMinLaunchWidth) continue;
      svg += leaf("line", {{"class", "separator"},
                           {"x1", length(begin)},
                           {"x2", length(begin)},
                           {"y1", "-18"},
                           {"y2", length(kPlotHeight)}});
      if (text_width(launch.kernel) + 8 > width) continue;
      svg += element("text", {{"class", "quiet"}, {"x", length(begin)}, {"y", "-22"}},
                     text(launch.kernel));
    }
    return svg;
  }

  /// Marks the stretch of highest power, even if it is merged with others.
  std::string peak_mark() const {
    const std::string middle = length((x(peak_.begin) + x(peak_.end)) / 2);
    const double top = y_(total_watts(peak_));
    return leaf("line", {{"class", "peak"},
                         {"x1", middle},
                         {"x2", middle},
                         {"y1", length(top)},
                         {"y2", length(kPlotHeight)}}) +
           leaf("path", {{"class", "peak"},
                         {"d", fmt::format("M{},{}l-4,-7h8z", middle, length(top - 2))}});
  }

  std::string legend() const {
    std::string svg;
    const std::size_t count = chart_.parts.size();
    for (std::size_t i = 0; i < count; ++i) {
      // Lists the topmost part first, as in the stack.
      const std::size_t part = count - 1 - i;
      const double top = static_cast<double>(i) * kLegendLineHeight;
      svg += leaf("rect", {{"class", fill(part)},
                           {"x", length(kPlotWidth + 20)},
                           {"y", length(top)},
                           {"width", "20"},
                           {"height", "13"}});
      svg += element("text", {{"x", length(kPlotWidth + 48)}, {"y", length(top + 11)}},
                     text(chart_.parts[part]));
    }
    return svg;
  }

  const PowerChart& chart_;
  const Stretch& peak_;
  Ticks ticks_;
  std::uint64_t begin_;
  Scale x_;
  Scale y_;
  std::vector<Stretch> merged_stretches_;
};

}  // namespace

std::string draw_power(const PowerChart& chart) {
  if (chart.stretches.empty()) return picture(chart, kTopMargin, "");
  return PowerPicture(chart).draw();
}

}  // namespace heddle::lab::report
