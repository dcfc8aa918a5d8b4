extern "C" void tell();

int main() { tell(); }
