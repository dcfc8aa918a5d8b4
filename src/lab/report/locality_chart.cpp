#include "lab/report/locality_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lab/report/frame.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/scale.h"
#include "lab/report/style.h"
#include "lab/report/ticks.h"

namespace heddle::lab::report {
namespace {

// All lengths are in pixels.
constexpr double kTop = 88;
constexpr double kHeight = 470;
// The surface. The window grows to the right, the neighbourhood into the picture, and the value
// upwards.
constexpr double kSurfaceLeft = 60;
constexpr double kWindowWidth = 300;
constexpr double kDepthRight = 150;
constexpr double kDepthUp = 110;
constexpr double kValueHeight = 190;
// The curves.
constexpr double kCurvesLeft = 620;
constexpr double kCurvesWidth = 380;
constexpr double kCurvesHeight = Frame::kPlotHeight;
constexpr double kLegendWidth = 120;
constexpr double kLegendLineHeight = 20;
/// The number of curves is at most that of distinct colours.
constexpr std::size_t kMaxCurves = kColourCount;

struct Point {
  double x = 0;
  double y = 0;
};

std::string text_at(const char* style, Point at, const std::string& content) {
  return element("text", {{"class", style}, {"x", length(at.x)}, {"y", length(at.y)}},
                 text(content));
}

std::string line_between(const char* style, Point from, Point to) {
  return leaf("line", {{"class", style},
                       {"x1", length(from.x)},
                       {"y1", length(from.y)},
                       {"x2", length(to.x)},
                       {"y2", length(to.y)}});
}

std::string moved(double left, double top, const std::string& content) {
  return element("g", {{"transform", fmt::format("translate({} {})", length(left), length(top))}},
                 content);
}

double share_of(std::size_t index, std::size_t count) {
  return static_cast<double>(index) / static_cast<double>(count - 1);
}

/// The values as a net of quadrangles, drawn from the back to the front.
class Surface {
 public:
  explicit Surface(const LocalityChart& chart) : chart_(chart) {}

  std::string draw() const { return walls() + net() + labels(); }

 private:
  std::size_t rows() const { return chart_.neighbourhoods.size(); }
  std::size_t columns() const { return chart_.windows.size(); }

  Point place(std::size_t n, std::size_t m, double value) const {
    const double depth = share_of(n, rows());
    return {share_of(m, columns()) * kWindowWidth + depth * kDepthRight,
            kDepthUp + kValueHeight - depth * kDepthUp - value * kValueHeight};
  }

  /// The axis of values at the back, and the edges of the ground.
  std::string walls() const {
    std::string svg;
    const std::size_t back = rows() - 1;
    const std::size_t right = columns() - 1;
    for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      svg += line_between("grid", place(back, 0, value), place(back, right, value));
      svg += line_between("grid", place(0, 0, value), place(back, 0, value));
      const Point at = place(0, 0, value);
      svg += text_at("mark", {at.x - 8, at.y + 4}, fmt::format("{:.0f} %", 100 * value));
    }
    svg += line_between("axis", place(0, 0, 0), place(0, right, 0));
    svg += line_between("axis", place(0, right, 0), place(back, right, 0));
    return svg;
  }

  std::string net() const {
    std::string svg;
    for (std::size_t n = rows() - 1; n-- > 0;) {
      for (std::size_t m = 0; m + 1 < columns(); ++m) svg += quadrangle(n, m);
    }
    return svg;
  }

  std::string quadrangle(std::size_t n, std::size_t m) const {
    std::string path;
    double sum = 0;
    for (const auto& [row, column] :
         {std::pair(n, m), std::pair(n, m + 1), std::pair(n + 1, m + 1), std::pair(n + 1, m)}) {
      const double value = chart_.values[row][column];
      const Point at = place(row, column, value);
      path += fmt::format("{}{},{}", path.empty() ? "M" : "L", length(at.x), length(at.y));
      sum += value;
    }
    return leaf("path", {{"class", "colour-0 net"},
                         {"fill-opacity", fmt::format("{:.2f}", 0.15 + 0.8 * sum / 4)},
                         {"d", path + "Z"}});
  }

  std::string labels() const {
    std::string svg;
    for (std::size_t m = 0; m < columns(); m += 2) {
      const Point at = place(0, m, 0);
      svg += text_at("label", {at.x, at.y + 18}, chart_.windows[m]);
    }
    for (std::size_t n = 0; n < rows(); n += 2) {
      const Point at = place(n, columns() - 1, 0);
      svg += text_at("quiet", {at.x + 8, at.y + 4}, chart_.neighbourhoods[n]);
    }
    const Point front = place(0, columns() / 2, 0);
    const Point side = place(rows() / 2, columns() - 1, 0);
    svg += text_at("axis-title", {front.x, front.y + 40}, "window, accesses");
    svg += text_at("axis-title", {side.x + 64, side.y + 46}, "neighbourhood, bytes");
    return svg;
  }

  const LocalityChart& chart_;
};

/// A curve over the window for some of the neighbourhoods.
class Curves {
 public:
  explicit Curves(const LocalityChart& chart)
      : chart_(chart),
        ticks_(make_ticks(0, 1, 6)),
        y_(ticks_.low(), ticks_.high(), kCurvesHeight, 0) {
    const std::size_t count = std::min(kMaxCurves, chart.neighbourhoods.size());
    for (std::size_t i = 0; i < count; ++i) {
      drawn_.push_back(i * (chart.neighbourhoods.size() - 1) / (count - 1));
    }
  }

  std::string draw() const {
    std::string svg = grid();
    for (std::size_t i = 0; i < drawn_.size(); ++i) svg += curve(i) + legend_line(i);
    return svg;
  }

 private:
  Point place(std::size_t m, double value) const {
    return {share_of(m, chart_.windows.size()) * kCurvesWidth, y_(value)};
  }

  std::string grid() const {
    std::string svg;
    for (const double value : ticks_.values) {
      const Point left = place(0, value);
      svg += line_between(value == 0 ? "axis" : "grid", left, {kCurvesWidth, left.y});
      svg += text_at("mark", {-8, left.y + 4}, fmt::format("{:.0f} %", 100 * value));
    }
    for (std::size_t m = 0; m < chart_.windows.size(); m += 2) {
      const Point at = place(m, 0);
      svg += line_between("axis", at, {at.x, at.y + 5});
      svg += text_at("label", {at.x, at.y + 20}, chart_.windows[m]);
    }
    return svg + text_at("axis-title", {kCurvesWidth / 2, kCurvesHeight + 42}, "window, accesses");
  }

  std::string curve(std::size_t series) const {
    const std::vector<double>& values = chart_.values[drawn_[series]];
    std::string path;
    std::string markers;
    for (std::size_t m = 0; m < values.size(); ++m) {
      const Point at = place(m, values[m]);
      path += fmt::format("{}{},{}", m == 0 ? "M" : "L", length(at.x), length(at.y));
      const std::string what =
          fmt::format("{} bytes, {} accesses: {:.2f} %", chart_.neighbourhoods[drawn_[series]],
                      chart_.windows[m], 100 * values[m]);
      markers += element("path", {{"class", "marker"}, {"d", marker(series, at.x, at.y)}},
                         element("title", {}, text(what)));
    }
    return element("g", {{"class", line_class(series)}},
                   leaf("path", {{"class", "line"}, {"d", path}}) + markers);
  }

  /// The largest neighbourhood is the first line, as its curve is the highest.
  std::string legend_line(std::size_t series) const {
    const double y = static_cast<double>(drawn_.size() - 1 - series) * kLegendLineHeight + 6;
    const double x = kCurvesWidth + 24;
    return element("g", {{"class", line_class(series)}},
                   leaf("path", {{"class", "marker"}, {"d", marker(series, x, y)}})) +
           element("text", {{"x", length(x + 14)}, {"y", length(y + 4)}},
                   text(chart_.neighbourhoods[drawn_[series]] + " bytes"));
  }

  const LocalityChart& chart_;
  Ticks ticks_;
  Scale y_;
  std::vector<std::size_t> drawn_;  ///< The neighbourhoods that have a curve.
};

}  // namespace

std::string draw_locality(const LocalityChart& chart) {
  const double width = kCurvesLeft + kCurvesWidth + kLegendWidth;
  const std::string heading =
      text_at("title", {14, 26}, chart.title) + text_at("quiet", {14, 46}, chart.subtitle);
  return element("svg",
                 {{"xmlns", "http://www.w3.org/2000/svg"},
                  {"class", "chart"},
                  {"role", "img"},
                  {"aria-label", chart.title + ". " + chart.subtitle},
                  {"viewBox", fmt::format("0 0 {} {}", length(width), length(kHeight))},
                  {"width", length(width)},
                  {"height", length(kHeight)}},
                 element("style", {}, picture_style() + ".net { stroke: var(--page); }") +
                     leaf("rect", {{"class", "ground"}, {"width", "100%"}, {"height", "100%"}}) +
                     heading + moved(kSurfaceLeft, kTop, Surface(chart).draw()) +
                     moved(kCurvesLeft, kTop, Curves(chart).draw())) +
         "\n";
}

}  // namespace heddle::lab::report
