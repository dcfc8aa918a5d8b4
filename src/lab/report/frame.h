#pragma once

// What all charts have around them: an axis of values with its grid, and labels below.

#include <string>
#include <string_view>
#include <vector>

#include "lab/report/scale.h"
#include "lab/report/study.h"
#include "lab/report/ticks.h"

namespace heddle::lab::report {

/// About how wide a text is, in the size that charts are written in.
double text_width(std::string_view text);

/// What is written below a place of the plot.
struct BandLabel {
  std::string text;
  double centre = 0;  ///< From the plot's left.
};

/// The plot with its margins. The origin of all places is the plot's upper left corner.
class Frame {
 public:
  static constexpr double kPlotHeight = 260;

  /// `room`: what each label has to itself; where one is wider, all are slanted. `above_labels`:
  /// height that is kept free between them and the plot.
  Frame(double plot_width, std::vector<BandLabel> labels, double room, std::string x_title,
        double above_labels = 0);

  double plot_width() const { return plot_width_; }
  bool slanted() const { return slanted_; }

  /// Places of values: high ones are above.
  static Scale value_scale(const Ticks& ticks) {
    return {ticks.low(), ticks.high(), kPlotHeight, 0};
  }

  /// The picture: grid and labels, then `plot`. `described` is for those who do not see it.
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

/// A line across at 1, where values are relative to something.
std::string baseline_mark(const Ticks& ticks, double plot_width);

}  // namespace heddle::lab::report
