// malloc, free, new and delete in a kernel: linked lists and trees of each thread's own.
struct Node {
  unsigned key;
  Node* left;
  Node* right;
};

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Node* root = nullptr;
  unsigned nodes = 1 + in[i] % 6;
  for (unsigned k = 0; k < nodes; ++k) {
    Node* node = new Node{in[(i + k) % count] % 100, nullptr, nullptr};
    Node** link = &root;
    while (*link != nullptr) link = node->key < (*link)->key ? &(*link)->left : &(*link)->right;
    *link = node;
  }
  unsigned depth = 0;
  for (Node* node = root; node != nullptr; node = node->left) ++depth;
  unsigned sum = 0;
  Node* stack[8];
  int top = 0;
  stack[top++] = root;
  unsigned order = 0;
  while (top > 0) {
    Node* node = stack[--top];
    if (node->left != nullptr) stack[top++] = node->left;
    if (node->right != nullptr) stack[top++] = node->right;
    sum += node->key * ++order;
    delete node;
  }
  out[i] = depth;
  out[count + i] = sum;
  unsigned char* bytes = static_cast<unsigned char*>(malloc(16 + i % 50));
  for (int k = 0; k < 16 + i % 50; ++k) bytes[k] = k * i;
  out[2 * count + i] = bytes[15] + (reinterpret_cast<unsigned long long>(bytes) % 16 == 0 ? 0 : 256);
  free(bytes);
  free(nullptr);
}
