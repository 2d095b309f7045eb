#include "assets/export/exporter.h"

namespace slipstick::assets {

// Each is in the file that writes it. A new exporter is a file with such a function, and its name in both lists.
Exporter contactsExporter();
Exporter bodiesExporter();
Exporter observablesExporter();
Exporter geometryExporter();
Exporter gltfExporter();
Exporter npzExporter();

std::vector<Exporter> exporters() {
  return {contactsExporter(), bodiesExporter(), observablesExporter(),
          geometryExporter(), gltfExporter(),   npzExporter()};
}

}  // namespace slipstick::assets
