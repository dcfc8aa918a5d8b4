#include <fmt/format.h>

#include <algorithm>

#include "lab/report/draw.h"
#include "lab/report/extent.h"
#include "lab/report/groups.h"
#include "lab/report/labels.h"
#include "lab/report/markup.h"
#include "lab/report/palette.h"
#include "lab/report/series.h"

namespace heddle::lab::report {
namespace {

/// Minimum size of a part that shows its number.
constexpr double kNumberWidth = 27;
constexpr double kNumberHeight = 15;
/// Gap between stacks of a group.
constexpr double kGap = 2;

class Stacks {
 public:
  Stacks(const Study& study, const Ticks& ticks)
      : study_(study),
        places_(lay_out(study.rows.size(), study.means.size(), study.columns.size())),
        ticks_(ticks),
        y_(Frame::value_scale(ticks)) {}

  std::string draw_all() const {
    std::string drawn = places_.separator();
    const std::vector<Group> groups = groups_of(study_);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t column = 0; column < study_.columns.size(); ++column) {
        drawn += draw_stack(groups[i], column, places_.bar_left(i, column));
      }
    }
    return drawn;
  }

  const Groups& places() const { return places_; }

 private:
  std::string draw_stack(const Group& group, std::size_t column, double left) const {
    const double width = places_.bar_width - kGap;
    const double middle = left + places_.bar_width / 2;
    const Values& parts = group.row->parts[column];
    std::string drawn;
    if (study_.columns.size() > 1) {
      drawn += element("text",
                       {{"class", "stack-number"},
                        {"x", length(middle)},
                        {"y", length(Frame::kPlotHeight + 13)}},
                       fmt::format("{}", column + 1));
    }
    double below = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string tip =
          cell_text(fmt::format("{}, {}", group.label, name_of_stack(group, column)),
                    study_.parts[i].first, parts[i], false);
      if (!parts[i]) {
        return drawn +
               element("text",
                       {{"class", "missing"}, {"x", length(middle)}, {"y", length(y_(below) - 4)}},
                       tooltip(tip) + "×");
      }
      const double above = below + std::max(0.0, *parts[i]);
      const double height = y_(below) - y_(above);
      drawn += element("rect",
                       {{"class", "part"},
                        {"x", length(left + kGap / 2)},
                        {"y", length(y_(above))},
                        {"width", length(width)},
                        {"height", length(height)},
                        {"fill", part_colour(i, parts.size())}},
                       tooltip(tip));
      if (width >= kNumberWidth && height >= kNumberHeight) {
        drawn += element("text",
                         {{"class", "part-number"},
                          {"x", length(middle)},
                          {"y", length(y_(above) + height / 2)},
                          {"dy", "0.35em"},
                          {"fill", part_ink(i, parts.size())}},
                         text(ticks_.label(*parts[i], 1)));
      }
      below = above;
    }
    return drawn;
  }

  std::string name_of_stack(const Group& group, std::size_t column) const {
    const std::string& best = group.row->best[column];
    return best.empty() ? study_.columns[column]
                        : fmt::format("{} ({})", study_.columns[column], best);
  }

  const Study& study_;
  Groups places_;
  const Ticks& ticks_;
  Scale y_;
};

}  // namespace

std::string draw_stacks(const Study& study) {
  const auto extent = extent_of_stacks(study);
  if (!extent || study.parts.empty()) return "";
  const Ticks ticks = make_ticks(0, extent->high, 8);
  const Stacks stacks(study, ticks);
  const Groups& places = stacks.places();
  const Frame frame(places.plot_width, places.labels(study), places.room(), study.chart.x,
                    study.columns.size() > 1 ? 14 : 0);
  return frame.draw(ticks, study.chart.y, description(study, "Stacks, grouped by workload"),
                    stacks.draw_all());
}

}  // namespace heddle::lab::report
