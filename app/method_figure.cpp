#include "app/method_figure.h"

#ifdef SLIPSTICK_HAS_STUDIO

#include <QGuiApplication>
#include <cstdio>

#include "app/output_path.h"
#include "app/picture_view.h"
#include "ui/method_figure.h"

#endif

namespace slipstick::app {

#ifdef SLIPSTICK_HAS_STUDIO

Result<void> checkMethodFigure(const std::string& file) {
  const Result<ui::FigureFormat> format = ui::figureFormatOf(file);
  if (!format) return Error{format.error().code, format.error().what, "--out " + file, format.error().remedy};
  return checkWritableFile(file);
}

Result<MethodFigure> MethodFigure::create(const CompareOptions& options, std::shared_ptr<const Model> model) {
  MethodFigure figure(options);
  render::PictureRequest& request = figure.request_;
  request = ui::methodPictures(options.dpi);
  if (const Result<void> applied = applyView(options.view, request.view); !applied) return applied.error();
  if (const Result<void> aimed = aim(request, options.view, *model); !aimed) return aimed.error();
  return figure;
}

Result<void> MethodFigure::write(std::span<const MethodRun> runs) const {
  const Result<ui::Figure> figure = ui::methodFigure(runs, request_, options_.width, options_.dpi, {});
  if (!figure) return figure.error();
  std::string name = "slipstick", platform = "-platform", offscreen = "offscreen";
  char* arguments[] = {name.data(), platform.data(), offscreen.data(), nullptr};
  int count = 3;
  qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
  const QGuiApplication application(count, arguments);
  const Result<ui::FigureReport> written = ui::writeFigure(*figure, *options_.out);
  if (!written) return written.error();
  std::printf("%s\n", options_.out->c_str());
  return {};
}

#else

namespace {
Error withoutStudio() {
  return {ErrorCode::Unsupported, "this program was built without what draws figures", "--out",
          "build with -DSLIPSTICK_STUDIO=ON, or leave --out out: tables need none"};
}
}  // namespace

Result<void> checkMethodFigure(const std::string&) {
  return withoutStudio();
}
Result<MethodFigure> MethodFigure::create(const CompareOptions&, std::shared_ptr<const Model>) {
  return withoutStudio();
}
Result<void> MethodFigure::write(std::span<const MethodRun>) const {
  return withoutStudio();
}

#endif

}  // namespace slipstick::app
