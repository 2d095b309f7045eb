#include <cstdio>

int main() {
  std::puts("slipstick");
  return 0;
}
