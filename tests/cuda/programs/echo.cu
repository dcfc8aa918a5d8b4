// The program's arguments, input, output and exit code are its own.
#include <string>

#include "check.h"

__global__ void shout(char* text, int count) {
  const int i = int(threadIdx.x);
  if (i < count && text[i] >= 'a' && text[i] <= 'z') text[i] = char(text[i] - 'a' + 'A');
}

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) std::printf("[%s]\n", words[i]);
  char line[128];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    std::string text = line;
    char* device = nullptr;
    CALL(cudaMalloc(&device, text.size()));
    CALL(cudaMemcpy(device, text.data(), text.size(), cudaMemcpyHostToDevice));
    shout<<<1, 128>>>(device, int(text.size()));
    CALL(cudaMemcpy(text.data(), device, text.size(), cudaMemcpyDeviceToHost));
    std::fputs(text.c_str(), stdout);
    CALL(cudaFree(device));
  }
  return 42;
}
