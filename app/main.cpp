#include "app/command_line.h"

int main(int argc, char** argv) {
  return slipstick::app::runCommandLine(argc, argv);
}
