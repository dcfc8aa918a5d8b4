// The library to which the program for CUDA 12 is linked. It only defines the names; when the
// program runs, Heddle's library takes its place.

#define HEDDLE_NAME(name) \
  extern "C" int name() { return -1; }

HEDDLE_NAME(__cudaPopCallConfiguration)
HEDDLE_NAME(__cudaPushCallConfiguration)
HEDDLE_NAME(__cudaRegisterFatBinary)
HEDDLE_NAME(__cudaRegisterFatBinaryEnd)
HEDDLE_NAME(__cudaRegisterFunction)
HEDDLE_NAME(__cudaUnregisterFatBinary)
HEDDLE_NAME(cudaCreateTextureObject)
HEDDLE_NAME(cudaDeviceGetAttribute)
HEDDLE_NAME(cudaDeviceSynchronize)
HEDDLE_NAME(cudaDriverGetVersion)
HEDDLE_NAME(cudaFree)
HEDDLE_NAME(cudaGetDeviceProperties)
HEDDLE_NAME(cudaGetDeviceProperties_v2)
HEDDLE_NAME(cudaGetDriverEntryPoint)
HEDDLE_NAME(cudaGetTextureObjectResourceDesc)
HEDDLE_NAME(cudaLaunchCooperativeKernelMultiDevice)
HEDDLE_NAME(cudaLaunchKernel)
HEDDLE_NAME(cudaMallocManaged)
HEDDLE_NAME(cudaMemAdvise)
HEDDLE_NAME(cudaMemPrefetchAsync)
HEDDLE_NAME(cudaMemPrefetchAsync_v2)
HEDDLE_NAME(cudaPointerGetAttributes)
HEDDLE_NAME(cudaRuntimeGetVersion)
HEDDLE_NAME(cudaThreadSynchronize)
