#pragma once

// The frame that all charts share: a value axis with its grid, and labels below the plot.

#include <string>
#include <string_view>
#include <vector>

#include "lab/report/scale.h"
#include "lab/report/study.h"
#include "lab/report/ticks.h"

namespace heddle::lab::report {

/// Approximate width of a text in the charts' font size.
double text_width(std::string_view text);

/// A label below the plot.
struct BandLabel {
  std::string text;
  double centre = 0;  ///< Distance from the plot's left edge.
};

/// A plot with its margins. All coordinates are relative to the plot's upper left corner.
class Frame {
 public:
  static constexpr double kPlotHeight = 260;

  /// `room`: the width available to each label. If a label is wider, all labels are slanted.
  /// `above_labels`: height that is kept free between labels and plot.
  Frame(double plot_width, std::vector<BandLabel> labels, double room, std::string x_title,
        double above_labels = 0);

  double plot_width() const { return plot_width_; }
  bool has_slanted_labels() const { return slanted_; }

  /// The vertical scale; high values are at the top.
  static Scale value_scale(const Ticks& ticks) {
    return {ticks.low(), ticks.high(), kPlotHeight, 0};
  }

  /// Draws grid and labels, then `plot`. `described` is the text alternative of the image.
  std::string draw(const Ticks& ticks, const std::string& value_title, const std::string& described,
                   const std::string& plot) const;

 private:
  std::string draw_values(const Ticks& ticks, const std::string& title) const;
  std::string draw_labels() const;
  double label_height() const;

  double plot_width_;
  std::vector<BandLabel> labels_;
  std::string x_title_;
  double above_labels_;
  double widest_ = 0;
  bool slanted_ = false;
  double left_;
  double right_ = 16;
};

/// A horizontal line at 1, for charts of relative values.
std::string baseline_mark(const Ticks& ticks, double plot_width);

}  // namespace heddle::lab::report
