// The picture of a comparison: the methods side by side and as ghosts of each other, forces and energy below.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "app/compare_options.h"
#include "engine/foundation/result.h"
#include "engine/runtime/method_run.h"
#include "render/jobs/picture_request.h"

namespace slipstick::app {

/// Whether a file can be a figure, and be written.
Result<void> checkMethodFigure(const std::string& file);

class MethodFigure {
 public:
  /// Errors: cameras, views and selections that there are not.
  static Result<MethodFigure> create(const CompareOptions& options, std::shared_ptr<const Model> model);
  /// A row of pictures for each moment that all runs have reached.
  Result<void> write(std::span<const MethodRun> runs) const;

 private:
  explicit MethodFigure(const CompareOptions& options) : options_(options) {}

  const CompareOptions& options_;
  render::PictureRequest request_;
};

}  // namespace slipstick::app
