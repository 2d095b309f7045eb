#include "ui/panels.h"

#include "ui/companions_panel.h"
#include "ui/contacts_panel.h"
#include "ui/driving_panel.h"
#include "ui/episodes_panel.h"
#include "ui/inspector.h"
#include "ui/joints_panel.h"
#include "ui/log_panel.h"
#include "ui/plots_panel.h"
#include "ui/scene_panel.h"
#include "ui/solver_panel.h"

namespace slipstick::ui {
namespace {

template <class P>
Panel* make(Session& session) {
  return new P(session);
}

const PanelKind kPanels[] = {
    {make<ScenePanel>, Qt::LeftDockWidgetArea, 38, true},
    {make<Inspector>, Qt::LeftDockWidgetArea, 62, true},
    {make<EpisodesPanel>, Qt::LeftDockWidgetArea, 0, false},  // it comes with the first try
    {make<ContactsPanel>, Qt::RightDockWidgetArea, 44, true},
    {make<JointsPanel>, Qt::RightDockWidgetArea, 0, false},      // it comes with a robot that is opened alone
    {make<DrivingPanel>, Qt::RightDockWidgetArea, 0, false},     // it comes with the mode
    {make<CompanionsPanel>, Qt::RightDockWidgetArea, 0, false},  // it comes with the first one
    {make<PlotsPanel>, Qt::RightDockWidgetArea, 34, false},      // it comes with the first pin
    {make<SolverPanel>, Qt::RightDockWidgetArea, 0, false},
    {make<LogPanel>, Qt::RightDockWidgetArea, 22, true},
};

}  // namespace

std::span<const PanelKind> panelKinds() {
  return kPanels;
}

}  // namespace slipstick::ui
