// The open scene under several methods, simulated beside the window from its start on, and the figure of it.
#pragma once

#include <QObject>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/runtime/method_run.h"
#include "render/jobs/camera_path.h"
#include "ui/beside.h"
#include "ui/figure.h"
#include "ui/studio.h"

namespace slipstick::ui {

/// Who destroys it waits for the step in work.
class MethodComparison : public QObject {
  Q_OBJECT

 public:
  struct Wish {
    struct Method {
      std::string name;
      double dt = 0;  ///< [s]
    };
    std::vector<Method> methods;  ///< at least one
    double duration = 0;          ///< [s]
    std::vector<double> moments;  ///< of the pictures, ascending [s]
    render::CameraPath camera{render::Camera{}};
  };

  /// Of a scene as it is now. @param model   whose scene is known @param tuning  the numbers in force
  MethodComparison(std::shared_ptr<const Model> model, Tuning tuning, MakeStepper makeStepper, Wish wish,
                   QObject* parent = nullptr);

  void stop();  ///< what was simulated until then is compared
  const Wish& wish() const { return wish_; }

  struct Progress {
    std::size_t method = 0;  ///< that is simulated; all of them: the figure is drawn
    double time = 0;         ///< that it has reached [s]
    double simulated = 0;    ///< by all of them [s]
  };
  Progress progress() const;
  bool isDone() const { return done_; }
  /// Of the methods that are over, or all; none is in work among them.
  const std::vector<MethodRun>& runs() const { return runs_; }
  /// Once it is done, of the methods that have come to the first picture; none where none has.
  const std::optional<Figure>& figure() const { return figure_; }
  /// Why methods could not step the scene to its end, or the figure could not be drawn.
  const std::vector<Error>& errors() const { return errors_; }

 Q_SIGNALS:
  void changed();  ///< another method is over, or all of it is done

 private:
  /// A method that is over, and what the figure needs of it, if it has come to the first picture.
  struct Simulated {
    MethodRun run;
    std::optional<MethodRun> drawn;
  };
  void goOn();
  Result<MethodRun> prepare(const Wish::Method& method, const std::stop_token& stop) const;
  Result<Simulated> simulate(std::size_t method, const std::stop_token& stop);
  void take(const std::string& method, Result<Simulated> simulated);
  void draw();
  void finish();

  const std::shared_ptr<const Model> model_;
  const Tuning tuning_;
  const MakeStepper makeStepper_;
  const Wish wish_;
  mutable std::mutex mutex_;
  Progress progress_;  ///< under the mutex
  std::vector<MethodRun> runs_;
  std::optional<Figure> figure_;
  std::vector<Error> errors_;
  std::size_t next_ = 0;  ///< method that is simulated next
  bool isStopped_ = false, done_ = false;
  std::vector<MethodRun> drawn_;
  Beside<Simulated> simulating_;
  Beside<Figure> drawing_;
};

}  // namespace slipstick::ui
