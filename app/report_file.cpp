#include "app/report_file.h"

#include "assets/export/output_file.h"

namespace slipstick::app {

Result<void> writeReport(const std::string& file, const nlohmann::ordered_json& report) {
  return assets::writeWhole(file, report.dump(2) + '\n');
}

}  // namespace slipstick::app
