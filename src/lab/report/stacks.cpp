#include <fmt/format.h>

#include <algorithm>

#include "lab/report/bar_layout.h"
#include "lab/report/draw.h"
#include "lab/report/extent.h"
#include "lab/report/labels.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"

namespace heddle::lab::report {
namespace {

/// The minimum size, in pixels, of a part that shows its number.
constexpr double kNumberWidth = 27;
constexpr double kNumberHeight = 15;
/// The gap between the stacks of a row, in pixels.
constexpr double kGap = 2;

/// Draws the stacks of a chart.
class Stacks {
 public:
  Stacks(const Study& study, const Ticks& ticks)
      : study_(study),
        layout_(lay_out_bars(study.rows.size(), study.means.size(), study.columns.size())),
        ticks_(ticks),
        y_(Frame::value_scale(ticks)) {}

  std::string draw_all() const {
    std::string svg = layout_.separator();
    const std::vector<ChartRow> rows = chart_rows(study_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t column = 0; column < study_.columns.size(); ++column) {
        svg += draw_stack(rows[i], column, layout_.bar_left(i, column));
      }
    }
    return svg;
  }

  const BarLayout& layout() const { return layout_; }

 private:
  std::string draw_stack(const ChartRow& row, std::size_t column, double left) const {
    const double width = layout_.bar_width - kGap;
    const double middle = left + layout_.bar_width / 2;
    const Values& parts = row.table_row->parts[column];
    std::string svg;
    if (study_.columns.size() > 1) {
      svg += element("text",
                     {{"class", "stack-number"},
                      {"x", length(middle)},
                      {"y", length(Frame::kPlotHeight + 13)}},
                     fmt::format("{}", column + 1));
    }
    double below = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string tip =
          cell_text(fmt::format("{}, {}", row.label, name_of_stack(row, column)),
                    study_.parts[i].first, parts[i], false);
      if (!parts[i]) {
        return svg +
               element("text",
                       {{"class", "missing"}, {"x", length(middle)}, {"y", length(y_(below) - 4)}},
                       tooltip(tip) + "×");
      }
      const double above = below + std::max(0.0, *parts[i]);
      const double height = y_(below) - y_(above);
      svg += element("rect",
                     {{"class", "part"},
                      {"x", length(left + kGap / 2)},
                      {"y", length(y_(above))},
                      {"width", length(width)},
                      {"height", length(height)},
                      {"fill", part_colour(i, parts.size())}},
                     tooltip(tip));
      if (width >= kNumberWidth && height >= kNumberHeight) {
        svg += element("text",
                       {{"class", "part-number"},
                        {"x", length(middle)},
                        {"y", length(y_(above) + height / 2)},
                        {"dy", "0.35em"},
                        {"fill", part_ink(i, parts.size())}},
                       text(ticks_.label(*parts[i], 1)));
      }
      below = above;
    }
    return svg;
  }

  std::string name_of_stack(const ChartRow& row, std::size_t column) const {
    const std::string& best = row.table_row->best[column];
    return best.empty() ? study_.columns[column]
                        : fmt::format("{} ({})", study_.columns[column], best);
  }

  const Study& study_;
  BarLayout layout_;
  const Ticks& ticks_;
  Scale y_;
};

}  // namespace

std::string draw_stacks(const Study& study) {
  const auto extent = extent_of_stacks(study);
  if (!extent || study.parts.empty()) return "";
  const Ticks ticks = make_ticks(0, extent->high, 8);
  const Stacks stacks(study, ticks);
  const BarLayout& layout = stacks.layout();
  const Frame frame(layout.plot_width, layout.labels(study), layout.label_width(), study.chart.x,
                    study.columns.size() > 1 ? 14 : 0);
  return frame.draw(ticks, study.chart.y, description(study, "Stacks, grouped by workload"),
                    stacks.draw_all());
}

}  // namespace heddle::lab::report
