#include "app/command_line.h"
#include "app/mesh_child.h"
#include "engine/foundation/process_memory.h"

int main(int argc, char** argv) {
  slipstick::shareOneHeap();
  slipstick::app::readMeshesInChildren();
  return slipstick::app::runCommandLine(argc, argv);
}
