#pragma once

// What the kernels and the host part of viterbi both know.

constexpr int kStates = 16;  // The last four bits of the message.
constexpr int kTail = 4;     // Zeros behind the message, which bring the encoder back to state 0.
constexpr int kLongestFrame = 244;
constexpr int kFrameWords = (kLongestFrame + 31) / 32;
constexpr int kForwardThreads = 256;  // One per state: 16 frames.
constexpr int kFramesPerBlock = kForwardThreads / kStates;
constexpr int kResidentThreads = 1024;  // Per block in the resident form.

// The generator polynomials 1 + D^3 + D^4 and 1 + D + D^3 + D^4: bit i is the coefficient of D^i.
constexpr int kGenerators[2] = {0x19, 0x1b};

struct Frame {
  int first_symbol;  // Where its received symbols begin.
  int steps;         // Bits of message and tail, each received as one symbol.
};
