#include "app/command_line.h"
#include "app/mesh_child.h"

int main(int argc, char** argv) {
  slipstick::app::readMeshesInChildren();
  return slipstick::app::runCommandLine(argc, argv);
}
