#pragma once

// The frame that all charts share: a value axis with its grid, and labels below the plot. Lengths
// are in pixels.

#include <string>
#include <string_view>
#include <vector>

#include "lab/report/scale.h"
#include "lab/report/study.h"
#include "lab/report/ticks.h"

namespace heddle::lab::report {

/// The approximate width of a text, in pixels, in the charts' font size.
double text_width(std::string_view text);

/// A label below the plot.
struct BandLabel {
  std::string text;
  double centre = 0;  ///< Distance from the plot's left edge.
};

/// A plot with its margins. The coordinates of the plot's content are relative to the plot's upper
/// left corner.
class Frame {
 public:
  static constexpr double kPlotHeight = 260;

  /// `label_width` is the width available to each label. If a label is wider, all are slanted.
  /// `space_above_labels` is the height that stays free between the plot and the labels.
  Frame(double plot_width, std::vector<BandLabel> labels, double label_width, std::string x_title,
        double space_above_labels = 0);

  double plot_width() const { return plot_width_; }
  bool has_slanted_labels() const { return labels_are_slanted_; }

  /// The vertical scale of the plot; high values are at the top.
  static Scale value_scale(const Ticks& ticks) {
    return {ticks.low(), ticks.high(), kPlotHeight, 0};
  }

  /// Draws grid and labels around `plot`, the SVG of the plot's content.
  std::string draw(const Ticks& ticks, const std::string& value_title,
                   const std::string& text_alternative, const std::string& plot) const;

 private:
  std::string draw_values(const Ticks& ticks, const std::string& title) const;
  std::string draw_labels() const;
  double label_height() const;

  double plot_width_;
  std::vector<BandLabel> labels_;
  std::string x_title_;
  double space_above_labels_;
  double widest_label_ = 0;
  bool labels_are_slanted_ = false;
  double left_margin_;
  double right_margin_ = 16;
};

/// A horizontal line at 1, for charts of relative values; empty if the axis does not include 1.
std::string baseline_mark(const Ticks& ticks, double plot_width);

}  // namespace heddle::lab::report
