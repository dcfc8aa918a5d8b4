#pragma once

namespace heddle::lab::report {

/// How the page looks: in light and in dark, on a phone and on paper.
extern const char* const kStyle;

}  // namespace heddle::lab::report
