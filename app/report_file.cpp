#include "app/report_file.h"

#include <fstream>

namespace slipstick::app {

Result<void> writeReport(const std::string& file, const nlohmann::ordered_json& report) {
  std::ofstream out(file);
  out << report.dump(2) << '\n';
  if (out.flush()) return {};
  return Error{ErrorCode::FileUnwritable, "the report could not be written", file, "free some disk space"};
}

}  // namespace slipstick::app
