#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// Where a result goes: a file, a device or a pipe, or standard output, which is called "-".
///
/// A file holds what it held before or all of the new, whatever happens meanwhile: the new one is
/// written beside it and takes its name. A device or a pipe is written to, and stays what it is.
class OutputFile {
 public:
  /// Tries whether it can be written, so that no work is lost whose result has nowhere to go: makes
  /// the folders that are missing, and leaves a file that is there as it is. A pipe is not opened:
  /// its reader is to see that once. Throws InputError with the reason.
  explicit OutputFile(std::string name);

  const std::string& name() const { return name_; }
  /// All that it is to hold. Throws InputError with the reason where it cannot be written.
  void write(std::string_view content) const;

 private:
  std::string name_;
};

/// An output that is written bit by bit, in place: it is of use before it is whole. The file
/// begins empty.
class OutputStream {
 public:
  /// Throws InputError.
  explicit OutputStream(const OutputFile& file);
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  /// Nothing more once something could not be written.
  void write(std::string_view text);
  /// Throws InputError where not all of it could be written.
  void close();

 private:
  std::string name_;
  int descriptor_;
  int error_ = 0;  ///< Why nothing is written any more.
};

}  // namespace heddle
