import XCTest

@testable import RingfenceCore

final class FactTests: XCTestCase {
  func test_jailbreak_libraries_are_found_by_folder_and_hook_libraries_by_whole_name() {
    let images = [
      "/usr/lib/libSystem.B.dylib", "/private/var/containers/Bundle/Application/A/Shop.app/Shop",
      "/var/containers/Bundle/Application/.jbroot-0123456789ABCDEF/usr/lib/systemhook.dylib",
      "/var/jb/usr/lib/TweakInject/Shadow.dylib", "/private/var/tmp/FridaGadget.dylib",
      "/private/var/containers/Bundle/Application/A/Shop.app/Frameworks/Shadowing.framework/Shadowing",
      "/private/var/containers/Bundle/Application/A/Shop.app/Frameworks/FridayOffers.framework/FridayOffers",
    ]
    XCTAssertEqual(KnownTraces.jailbreakImages(images), ["Shadow.dylib", "systemhook.dylib"])
    XCTAssertEqual(KnownTraces.hookImages(images), ["FridaGadget.dylib", "Shadow.dylib", "systemhook.dylib"])
    XCTAssertEqual(KnownTraces.hookImages(Array(repeating: "/a/frida-agent.dylib", count: 99)), ["frida-agent.dylib"])
  }

  func test_a_tunnel_with_a_routable_address_is_reported_separately_from_a_bare_utun_and_Wi_Fi_calling() {
    func address(_ name: String, _ bytes: [UInt8], isUp: Bool = true) -> InterfaceAddress {
      InterfaceAddress(name: name, isUp: isUp, bytes: bytes)
    }
    let linkLocal: [UInt8] = [0xFE, 0x80] + Array(repeating: 1, count: 14)
    let fact = NetworkReading.networkInterfaces(
      scoped: ["en0", "utun3", "ipsec1", "pdp_ip0"],
      addresses: [
        address("en0", [192, 168, 1, 7]), address("utun0", linkLocal), address("utun1", [169, 254, 1, 1]),
        address("utun3", [10, 8, 0, 2]), address("utun4", [10, 9, 0, 2], isUp: false),
        address("ipsec0", [0x20, 0x01] + Array(repeating: 7, count: 14)), address("lo0", [127, 0, 0, 1]),
        address("utun9", []),
      ])
    XCTAssertEqual(fact["scopedTunnels"], .array(["ipsec1", "utun3"]))
    XCTAssertEqual(fact["routableTunnels"], .array(["ipsec0", "utun3"]))
  }

  func test_a_proxy_is_reported_without_its_host() {
    XCTAssertEqual(
      NetworkReading.proxy([:]),
      .object([
        "http": .bool(false), "socks": .bool(false), "autoConfiguration": .bool(false), "isLoopback": .bool(false),
      ]))
    let fact = NetworkReading.proxy(["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": 8888])
    XCTAssertEqual(fact["http"], .bool(true))
    XCTAssertEqual(fact["isLoopback"], .bool(true))
    XCTAssertEqual(NetworkReading.proxy(["ProxyAutoConfigEnable": 1])["autoConfiguration"], .bool(true))
  }

  func test_the_app_identifier_is_read_from_the_binary_provisioning_profile() {
    let xml = """
      <key>Entitlements</key><dict><key>application-identifier</key>
      <string>AB12CD34EF.com.example.shop</string></dict>
      """
    let file = Data([0x30, 0x82, 0xFF, 0x00, 0xC3]) + Data(xml.utf8) + Data([0xFE, 0xFF])
    XCTAssertEqual(ProvisioningProfile.applicationIdentifier(file), "AB12CD34EF.com.example.shop")
    for broken in [
      "", "<key>application-identifier</key>", "<key>application-identifier</key><array/><string>x</string>",
    ] {
      XCTAssertNil(ProvisioningProfile.applicationIdentifier(Data(broken.utf8)))
    }
  }
}
