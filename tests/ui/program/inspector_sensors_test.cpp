// A robot with a sensor in the inspector of the real window: what the sensor reads, and springs that are none.
#include "tests/ui/program/studio_fixture.h"
#include "ui/controls.h"
#include "ui/parameter_field.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

struct InspectedPanel : Studio {
  Inspector& inspector = window.panel<Inspector>();

  void select(const QString& body) {
    session().focus().selectByName(body);
    ASSERT_TRUE(std::holds_alternative<render::SelectedBody>(session().focus().selection()));
  }
  void runTo(double time) {
    session().transport().setSpeed(std::numeric_limits<double>::infinity());
    session().transport().runUntil(time);
    const double dt = session().model()->time.dt;
    ASSERT_TRUE(eventually(
        [&] { return !session().run().status().playing && session().moment().shown()->time > time - dt; }));
    settle();
  }
  std::size_t sensor(const char* name) {
    const std::vector<Sensor>& sensors = session().model()->sensors;
    return static_cast<std::size_t>(
        std::find_if(sensors.begin(), sensors.end(), [&](const Sensor& s) { return s.name == name; }) -
        sensors.begin());
  }
  /// Below the net force of all that touches the body.
  QString sensorForce() const { return inspector.factText("force", 1); }
  ParameterField* fieldOf(const QString& key) {
    for (ParameterField* field : inspector.findChildren<ParameterField*>())
      if (QString::fromStdString(field->row().path).endsWith("." + key)) return field;
    return nullptr;
  }
};

TEST_F(InspectedPanel, SaysWhatItsSensorReadsAsTimeGoesOn) {
  select("left.panel");
  EXPECT_EQ(sensorForce(), vectorText(Vec3::Zero(), 2)) << "nothing has touched it";
  runTo(0.1);
  const std::size_t left = sensor("left_pad");
  ASSERT_LT(left, session().moment().shown()->sensors.size());
  const StepFacts::SensorReading& reading = session().moment().shown()->sensors[left];
  EXPECT_NEAR(std::abs(reading.linear.x()), 10, 0.5) << "what presses it";
  EXPECT_EQ(sensorForce(), vectorText(reading.linear, 2));
  EXPECT_EQ(inspector.factText("torque"), vectorText(reading.angular, 2));

  select("right.panel");
  const StepFacts::SensorReading& other = session().moment().shown()->sensors[sensor("right_pad")];
  EXPECT_EQ(sensorForce(), vectorText(other.linear, 2)) << "its own, not its neighbour's";
}

TEST_F(InspectedPanel, ShowsASpringWithoutStiffnessOnlyWhenAskedFor) {
  select("left.panel");
  ParameterField* stiffness = fieldOf("stiffness.slide");
  ASSERT_NE(stiffness, nullptr);
  EXPECT_FALSE(stiffness->field()->isVisibleTo(&inspector));
  EXPECT_TRUE(fieldOf("damping.slide")->field()->isVisibleTo(&inspector)) << "damping needs no spring";
  for (FlatButton* button : inspector.findChildren<FlatButton*>())
    if (button->text().endsWith("more")) button->click();
  EXPECT_TRUE(stiffness->field()->isVisibleTo(&inspector));
}

}  // namespace
}  // namespace slipstick::ui
