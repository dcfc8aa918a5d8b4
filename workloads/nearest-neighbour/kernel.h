#pragma once

// What host and kernel agree on.

/// In degrees.
struct Place {
  float latitude;
  float longitude;
};
