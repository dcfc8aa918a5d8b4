#include "lab/report/draw.h"

namespace heddle::lab::report {

std::string draw(const Study& study) {
  switch (study.chart.kind) {
    case Chart::Kind::bars:
      return draw_bars(study);
    case Chart::Kind::lines:
      return draw_lines(study);
    case Chart::Kind::stacked:
      return draw_stacks(study);
  }
  return "";
}

}  // namespace heddle::lab::report
