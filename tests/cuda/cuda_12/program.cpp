// A program as nvcc of CUDA 12 would build it, with the structures of CUDA 12 declared by hand. It
// checks that Heddle does not write beyond the ends of these structures.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/fatbin/fat_binary_bytes.h"

namespace {

struct Dim3 {
  unsigned x, y, z;
};
struct PointerAttributes {
  int kind;
  int device;
  void* device_pointer;
  void* host_pointer;
};
struct Location {
  int kind, id;
};
struct Wrapper {
  std::uint32_t magic, version;
  const void* data;
  const void* prelinked;
};

constexpr int kHost = -1;  ///< The host as the location of memory.
constexpr int kNotSupported = 801;
constexpr int kInvalidValue = 1;
constexpr int kInvalidDevice = 101;
constexpr int kManaged = 3;

}  // namespace

extern "C" {
int __cudaPopCallConfiguration(Dim3*, Dim3*, std::size_t*, void*);
unsigned __cudaPushCallConfiguration(Dim3, Dim3, std::size_t, void*);
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*,
                            void*, int*);
void __cudaUnregisterFatBinary(void**);
int cudaCreateTextureObject(unsigned long long*, const void*, const void*, const void*);
int cudaDeviceGetAttribute(int*, int, int);
int cudaDeviceSynchronize();
int cudaDriverGetVersion(int*);
int cudaFree(void*);
int cudaGraphAddDependencies(void*, void* const*, void* const*, std::size_t);
int cudaGraphAddNode(void**, void*, void* const*, std::size_t, void*);
int cudaGraphCreate(void**, unsigned);
int cudaGraphDestroy(void*);
int cudaGraphGetEdges(void*, void**, void**, std::size_t*);
int cudaGraphNodeGetDependencies(void*, void**, std::size_t*);
int cudaGraphNodeGetDependentNodes(void*, void**, std::size_t*);
int cudaGraphRemoveDependencies(void*, void* const*, void* const*, std::size_t);
int cudaStreamBeginCapture(void*, int);
int cudaStreamCreate(void**);
int cudaStreamEndCapture(void*, void**);
int cudaStreamGetCaptureInfo(void*, int*, unsigned long long*);
int cudaStreamGetCaptureInfo_v2(void*, int*, unsigned long long*, void**, void* const**,
                                std::size_t*);
int cudaStreamUpdateCaptureDependencies(void*, void**, std::size_t, unsigned);
int cudaGetDeviceProperties(void*, int);
int cudaGetDeviceProperties_v2(void*, int);
int cudaGetTextureObjectResourceDesc(void*, unsigned long long);
int cudaLaunchCooperativeKernelMultiDevice(void*, unsigned, unsigned);
int cudaLaunchKernel(const void*, Dim3, Dim3, void**, std::size_t, void*);
int cudaMallocManaged(void*, std::size_t, unsigned);
int cudaGetDriverEntryPoint(const char*, void**, unsigned long long, int*);
int cudaMemAdvise(const void*, std::size_t, int, int);
int cudaMemPrefetchAsync(const void*, std::size_t, int, void*);
int cudaMemPrefetchAsync_v2(const void*, std::size_t, Location, unsigned, void*);
int cudaPointerGetAttributes(PointerAttributes*, const void*);
int cudaRuntimeGetVersion(int*);
int cudaThreadSynchronize();
}

namespace {

#define CHECK(condition)                                      \
  do {                                                        \
    if (!(condition)) {                                       \
      std::printf("line %d: not %s\n", __LINE__, #condition); \
      std::exit(1);                                           \
    }                                                         \
  } while (false)

/// A buffer for a result, followed by guard bytes.
template <std::size_t N>
class GuardedBuffer {
 public:
  GuardedBuffer() { bytes_.fill(kMark); }

  void* result() { return bytes_.data(); }
  template <class T>
  T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  bool is_filled_exactly() const {
    for (std::size_t i = N; i < bytes_.size(); ++i) {
      if (bytes_[i] != kMark) return false;
    }
    return bytes_[N - 1] != kMark;
  }

 private:
  static constexpr unsigned char kMark = 0xa5;
  alignas(8) std::array<unsigned char, N + 256> bytes_{};
};

void check_properties() {
  GuardedBuffer<1032> p;
  CHECK(cudaGetDeviceProperties_v2(p.result(), 0) == 0);
  CHECK(p.is_filled_exactly());
  CHECK(std::strncmp(static_cast<const char*>(p.result()), "Heddle ", 7) == 0);
  // Pairs of a member's offset in bytes and the number of the attribute with the same value.
  constexpr std::array<std::array<int, 2>, 20> members{
      {{304, 12}, {308, 10}, {320, 1},  {336, 5},  {348, 13}, {360, 75}, {364, 76},
       {384, 15}, {388, 16}, {400, 19}, {408, 21}, {416, 69}, {420, 22}, {576, 31},
       {608, 36}, {612, 37}, {624, 39}, {648, 82}, {652, 83}, {688, 95}}};
  for (const auto& [offset, attribute] : members) {
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, attribute, 0) == 0);
    if (p.at<int>(static_cast<std::size_t>(offset)) != value) {
      std::printf("at offset %d: %d, expected %d\n", offset,
                  p.at<int>(static_cast<std::size_t>(offset)), value);
      std::exit(1);
    }
  }
  CHECK(p.at<std::size_t>(288) == std::size_t{16} << 30);
  CHECK(cudaGetDeviceProperties_v2(p.result(), 1) == kInvalidDevice);
  CHECK(cudaGetDeviceProperties_v2(nullptr, 0) == kInvalidValue);
  // Under this name CUDA 12 expects the structure of CUDA 11.
  CHECK(cudaGetDeviceProperties(p.result(), 0) == kNotSupported);
}

void check_memory() {
  int* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, 4096, 1) == 0);
  GuardedBuffer<sizeof(PointerAttributes)> attributes;
  CHECK(cudaPointerGetAttributes(static_cast<PointerAttributes*>(attributes.result()), memory) ==
        0);
  CHECK(attributes.at<int>(0) == kManaged);
  CHECK(attributes.at<void*>(offsetof(PointerAttributes, host_pointer)) == memory);
  CHECK(attributes.at<unsigned char>(sizeof(PointerAttributes)) == 0xa5);
  CHECK(cudaMemAdvise(memory, 4096, 1, 0) == 0);
  CHECK(cudaMemAdvise(memory, 4096, 1, kHost) == 0);
  CHECK(cudaMemAdvise(memory, 4096, 3, 7) == kInvalidDevice);
  CHECK(cudaMemAdvise(memory, 4096, 1, 7) == 0);
  CHECK(cudaMemPrefetchAsync(memory, 4096, kHost, nullptr) == 0);
  CHECK(cudaMemPrefetchAsync(memory, 4096, 7, nullptr) == kInvalidDevice);
  CHECK(cudaMemPrefetchAsync_v2(memory, 4096, {1, 0}, 0, nullptr) == 0);
  CHECK(cudaFree(memory) == 0);
}

void check_textures() {
  int* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, 4096, 1) == 0);
  // The resource is linear memory of 32-bit integers. The bytes after the structure are invalid and
  // must not be read.
  GuardedBuffer<64> resource;
  auto* const fields = static_cast<std::uint64_t*>(resource.result());
  std::memset(fields, 0, 64);
  fields[0] = 2;
  std::memcpy(&fields[1], &memory, sizeof memory);
  fields[2] = 32;
  fields[5] = 4096;
  std::array<int, 18> texture{};
  unsigned long long handle = 0;
  CHECK(cudaCreateTextureObject(&handle, fields, texture.data(), nullptr) == 0);
  GuardedBuffer<64> returned;
  CHECK(cudaGetTextureObjectResourceDesc(returned.result(), handle) == 0);
  CHECK(returned.is_filled_exactly());
  CHECK(std::memcmp(returned.result(), fields, 48) == 0);
  CHECK(cudaGetTextureObjectResourceDesc(nullptr, handle) == kInvalidValue);
  CHECK(cudaFree(memory) == 0);
}

const char kernel = 0;  // Its address stands for the host's function.
constexpr const char* kPtx =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry twice(.param .u64 p) {\n"
    "  .reg .b64 %rd<4>;\n  .reg .b32 %r<4>;\n"
    "  ld.param.u64 %rd1, [p];\n  mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %rd2, %r1, 4;\n  add.u64 %rd3, %rd1, %rd2;\n"
    "  ld.global.u32 %r2, [%rd3];\n  add.u32 %r3, %r2, %r2;\n"
    "  st.global.u32 [%rd3], %r3;\n  ret;\n}\n";

void check_launch() {
  heddle::cuda::FatBinaryBytes binary;
  binary.add({.sm = 75, .payload = kPtx});
  Wrapper wrapper{0x466243b1, 1, binary.bytes().data(), nullptr};
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &kernel, nullptr, "twice", -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  int* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, 4096, 1) == 0);
  for (int i = 0; i < 32; ++i) memory[i] = i;
  // The calls that nvcc generates for <<<1, 32>>>.
  CHECK(__cudaPushCallConfiguration({1, 1, 1}, {32, 1, 1}, 0, nullptr) == 0);
  Dim3 grid{}, block{};
  std::size_t shared = 0;
  void* stream = nullptr;
  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == 0);
  void* arguments[] = {&memory};
  CHECK(cudaLaunchKernel(&kernel, grid, block, arguments, shared, stream) == 0);
  CHECK(cudaDeviceSynchronize() == 0);
  CHECK(cudaThreadSynchronize() == 0);
  for (int i = 0; i < 32; ++i) CHECK(memory[i] == 2 * i);
  CHECK(cudaFree(memory) == 0);
  __cudaUnregisterFatBinary(handle);
}

/// CUDA 12's functions for graphs have no data of dependencies.
void check_graphs() {
  void *graph = nullptr, *nodes[2] = {}, *from = nullptr, *to = nullptr;
  std::size_t count = 0;
  std::array<long long, 32> empty{};
  empty[0] = 5;  // The type of an empty node.
  CHECK(cudaGraphCreate(&graph, 0) == 0);
  CHECK(cudaGraphAddNode(&nodes[0], graph, nullptr, 0, empty.data()) == 0);
  CHECK(cudaGraphAddNode(&nodes[1], graph, &nodes[0], 1, empty.data()) == 0);
  CHECK(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], 1) == 0);
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &count) == 0 && count == 0);
  CHECK(cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], 1) == 0);
  count = 1;
  CHECK(cudaGraphGetEdges(graph, &from, &to, &count) == 0 && count == 1);
  CHECK(from == nodes[0] && to == nodes[1]);
  CHECK(cudaGraphNodeGetDependencies(nodes[1], &from, &count) == 0 && from == nodes[0]);
  CHECK(cudaGraphNodeGetDependentNodes(nodes[0], &to, &count) == 0 && to == nodes[1]);
  CHECK(cudaGraphDestroy(graph) == 0);

  void *stream = nullptr, *captured = nullptr;
  void* const* last = nullptr;
  int status = 0;
  unsigned long long id = 0;
  CHECK(cudaStreamCreate(&stream) == 0 && cudaStreamBeginCapture(stream, 0) == 0);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id) == 0 && status == 1 && id != 0);
  CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &captured, &last, &count) == 0);
  CHECK(captured != nullptr && count == 0);
  CHECK(cudaGraphAddNode(&nodes[0], captured, nullptr, 0, empty.data()) == 0);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &nodes[0], 1, 1) == 0);
  CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &captured, &last, &count) == 0);
  CHECK(count == 1 && last[0] == nodes[0]);
  CHECK(cudaStreamEndCapture(stream, &graph) == 0 && graph == captured);
  CHECK(cudaGraphDestroy(graph) == 0);
}

/// CUDA 12's cuCtxSynchronize has no parameter, so it must ignore the register of a first argument.
void check_driver() {
  void* address = nullptr;
  int status = -1;
  CHECK(cudaGetDriverEntryPoint("cuCtxSynchronize", &address, 0, &status) == 0 && status == 0);
  void* const no_context = reinterpret_cast<void*>(0x1230);
  CHECK(reinterpret_cast<int (*)(void*)>(address)(no_context) == 0);
}

}  // namespace

int main() {
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == 0 && version / 1000 == 12);
  CHECK(cudaDriverGetVersion(&version) == 0 && version / 1000 == 13);
  check_properties();
  check_memory();
  check_textures();
  check_launch();
  check_graphs();
  check_driver();
  CHECK(cudaLaunchCooperativeKernelMultiDevice(nullptr, 0, 0) == kNotSupported);
  std::puts("passed");
}
