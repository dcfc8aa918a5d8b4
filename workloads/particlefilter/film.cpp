#include "film.h"

#include <algorithm>

#include "kernel.h"

namespace heddle::workload::particlefilter {

Film make_film(int side, int frames, Random& random) {
  constexpr double kGrain = 5;
  Film film{.width = side, .height = side, .frames = {}, .object = {}};
  Place object{side * random.uniform(0.3, 0.5), side * random.uniform(0.7, 0.8)};
  for (int i = 0; i < frames; ++i) {
    std::vector<std::uint8_t> frame;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double dx = x - object.x, dy = y - object.y;
        const bool is_object =
            dx * dx + dy * dy < ::particlefilter::kRadius * ::particlefilter::kRadius;
        const double level =
            (is_object ? ::particlefilter::kForeground : ::particlefilter::kBackground) +
            kGrain * random.normal();
        frame.push_back(static_cast<std::uint8_t>(std::clamp(level, 0.0, 255.0)));
      }
    }
    film.frames.push_back(frame);
    film.object.push_back(object);
    object.x += static_cast<double>(::particlefilter::kMoveX) + random.uniform(-2, 2);
    object.y += static_cast<double>(::particlefilter::kMoveY) + random.uniform(-1, 1);
  }
  return film;
}

}  // namespace heddle::workload::particlefilter
