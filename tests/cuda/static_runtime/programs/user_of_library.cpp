extern "C" void print_results();

int main() { print_results(); }
