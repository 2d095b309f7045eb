#include "app/devices/network_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/devices/network.h"

namespace slipstick::app {
namespace {

using ::testing::HasSubstr;

TEST(NetworkAddress, IsAHostWithAPortOrAPath) {
  for (const char* good : {"tcp://127.0.0.1:5570", "tcp://*:1", "tcp://[::1]:65535", "tcp://eth0:*",
                           "ipc:///tmp/arm", "ipc://arm.sock", "ipc://@arm"})
    EXPECT_TRUE(checkNetworkAddress(good)) << good;
  EXPECT_TRUE(checkNetworkAddress(NetworkOptions{}.poses));
  EXPECT_TRUE(checkNetworkAddress(NetworkOptions{}.state));
}

TEST(NetworkAddress, WhatCannotBeOneIsRefusedWithWhyAndAnExample) {
  for (const auto& [bad, what] : {std::pair<std::string, const char*>{"", "starts with tcp:// or ipc://"},
                                  {"127.0.0.1:5570", "starts with tcp:// or ipc://"},
                                  {"udp://127.0.0.1:5570", "starts with tcp:// or ipc://"},
                                  {"inproc://arm", "starts with tcp:// or ipc://"},
                                  {"tcp://127.0.0.1", "needs a host and a port"},
                                  {"tcp://:5570", "needs a host and a port"},
                                  {"tcp://127.0.0.1:0", "from 1 to 65535"},
                                  {"tcp://127.0.0.1:65536", "from 1 to 65535"},
                                  {"tcp://127.0.0.1:99999999999999", "from 1 to 65535"},
                                  {"tcp://127.0.0.1:55x", "from 1 to 65535"},
                                  {"tcp://127.0.0.1:-1", "from 1 to 65535"},
                                  {"tcp://127.0.0.1:", "from 1 to 65535"},
                                  {"ipc://", "needs the path of a file"},
                                  {"ipc://*", "needs the path of a file"},
                                  {"ipc:///" + std::string(200, 'x'), "longer than 107 bytes"}}) {
    const Result<void> checked = checkNetworkAddress(bad);
    ASSERT_FALSE(checked) << bad;
    EXPECT_THAT(checked.error().what, HasSubstr(what)) << bad;
    EXPECT_THAT(checked.error().remedy, HasSubstr("tcp://127.0.0.1:5570")) << bad;
  }
}

}  // namespace
}  // namespace slipstick::app
