#pragma once

/// A point of the stream, as the search sees it.
struct StreamPoint {
  float weight;
  int centre;  ///< The point that serves it.
  float cost;  ///< Its weight times the squared distance to its centre.
};
