#pragma once

// The GPU as a workload's host part sees it, with the workload's kernels loaded. The interface has
// two implementations: the simulator (simulated_device.h) and a real NVIDIA GPU (apps/silicon).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "device/arguments.h"

namespace heddle::workload {

/// An address in device memory.
using Address = std::uint64_t;

/// `count` values of type T in device memory. As a kernel's argument it is a pointer.
template <class T>
struct Array {
  Address address = 0;
  std::size_t count = 0;

  /// The part of the array that begins at index `offset`.
  Array from(std::size_t offset) const { return {address + offset * sizeof(T), count - offset}; }
};

struct LaunchShape {
  Dim3 grid{};
  Dim3 block{};
  std::uint32_t dynamic_shared_bytes = 0;
};

/// The number of blocks of `block` threads that provide at least `threads` threads.
constexpr std::uint32_t blocks_for(std::size_t threads, std::uint32_t block) {
  return static_cast<std::uint32_t>((threads + block - 1) / block);
}

/// A two-dimensional texture, stored in a CUDA array.
struct TextureDescription {
  enum class Texel : std::uint8_t { u8, f32 };
  enum class Edge : std::uint8_t { clamp, wrap };

  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Texel texel = Texel::f32;
  std::uint32_t channels = 1;     ///< 1, 2 or 4
  bool linear = false;            ///< Reads interpolate between the four texels around a point.
  bool read_as_fraction = false;  ///< u8 texels are read as floats in [0, 1].
  bool normalized_coordinates = false;  ///< Coordinates from 0 to 1 cover the texture.
  Edge edge = Edge::clamp;
};

/// A texture as a kernel's argument (cudaTextureObject_t).
struct TextureHandle {
  std::uint64_t value = 0;
};

class Gpu {
 public:
  Gpu() = default;
  virtual ~Gpu() = default;
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// The memory is freed when the Gpu is destroyed. `name` is the memory's name in messages.
  virtual Address allocate_bytes(std::uint64_t bytes, std::string_view name) = 0;
  virtual void write_bytes(Address to, std::span<const std::byte> from) = 0;
  virtual void read_bytes(std::span<std::byte> to, Address from) = 0;
  virtual void copy_bytes(Address to, Address from, std::uint64_t bytes) = 0;
  virtual void fill_bytes(Address to, std::uint8_t value, std::uint64_t bytes) = 0;
  /// The address of a __device__ or __constant__ variable of the kernels.
  virtual Address symbol_address(std::string_view name) = 0;
  /// `texels` has the rows of texels from the top, without gaps between rows.
  virtual TextureHandle create_texture(const TextureDescription& description,
                                       std::span<const std::byte> texels) = 0;
  /// The number of blocks of a kernel, without dynamic shared memory, that the GPU holds at once;
  /// at least one.
  virtual std::uint32_t resident_blocks(std::string_view kernel, const Dim3& block) = 0;
  /// Launches a kernel and waits for its end.
  virtual void launch_kernel(std::string_view kernel, const LaunchShape& shape,
                             const device::Arguments& arguments) = 0;

  template <class T>
  Array<T> allocate(std::size_t count, std::string_view name) {
    return {allocate_bytes(count * sizeof(T), name), count};
  }
  template <class T>
  Array<T> upload(const std::vector<T>& values, std::string_view name) {
    const Array<T> array = allocate<T>(values.size(), name);
    write(array, values);
    return array;
  }
  template <class T>
  void write(const Array<T>& array, const std::vector<T>& values) {
    write_bytes(array.address, std::as_bytes(std::span(values)));
  }
  template <class T>
  std::vector<T> download(const Array<T>& array) {
    std::vector<T> values(array.count);
    read_bytes(std::as_writable_bytes(std::span(values)), array.address);
    return values;
  }
  template <class T>
  T download_one(const Array<T>& array, std::size_t index = 0) {
    T value{};
    read_bytes(std::as_writable_bytes(std::span(&value, 1)), array.address + index * sizeof(T));
    return value;
  }
  template <class T>
  void copy(const Array<T>& to, const Array<T>& from) {
    copy_bytes(to.address, from.address, from.count * sizeof(T));
  }
  template <class T>
  void fill(const Array<T>& array, std::uint8_t byte) {
    fill_bytes(array.address, byte, array.count * sizeof(T));
  }
  template <class T>
  void write_symbol(std::string_view name, const std::vector<T>& values) {
    write_bytes(symbol_address(name), std::as_bytes(std::span(values)));
  }
  template <class T>
  void write_symbol(std::string_view name, const T& value) {
    write_bytes(symbol_address(name), std::as_bytes(std::span(&value, 1)));
  }
  /// The grid for a kernel whose threads loop over `threads` elements of work: as many blocks of
  /// `block` threads as give each element a thread, but no more than the GPU holds at once.
  LaunchShape resident_shape(std::string_view kernel, std::uint32_t block, std::size_t threads) {
    const std::uint32_t needed = blocks_for(threads, block);
    return {.grid = {std::min(needed, resident_blocks(kernel, {block}))}, .block = {block}};
  }
  /// Launches a kernel with its arguments: scalars, structures, arrays, texture handles.
  template <class... Values>
  void launch(std::string_view kernel, const LaunchShape& shape, const Values&... values) {
    device::Arguments arguments;
    (add_argument(arguments, values), ...);
    launch_kernel(kernel, shape, arguments);
  }

 private:
  template <class T>
  static void add_argument(device::Arguments& arguments, const T& value) {
    arguments.add(value);
  }
  template <class T>
  static void add_argument(device::Arguments& arguments, const Array<T>& array) {
    arguments.add(array.address);
  }
};

}  // namespace heddle::workload
