#pragma once

#include <string>

#include "trace/log.h"

namespace heddle::trace {

/// The two header lines of a trace: its format version, and the names of the columns.
std::string header();
/// Appends the line of an event at a place to `text`.
void append_line(std::string& text, Place place, const Event& event);

}  // namespace heddle::trace
