import XCTest

@testable import DeviceIntelligence
@testable import RingfenceCore

final class RealServiceTests: XCTestCase {
  private func sdk(_ packageName: String? = nil) throws -> DeviceIntelligenceSDK {
    let surroundings = Surroundings(packageName: try packageName ?? started("PACKAGE_NAME"), log: { _ in })
    let sdk = DeviceIntelligenceSDK(surroundings)
    sdk.baseURL = try startedURL("URL")
    return sdk
  }

  func test_4_7_fetchIntelligence_returns_a_dfrId_after_initialize() async throws {
    let sdk = try sdk()
    XCTAssertFalse(sdk.isInitialized)
    let success = await sdk.initialize(appId: try started("APP_ID"))
    XCTAssertTrue(success)
    XCTAssertTrue(sdk.isInitialized)
    let first = try await sdk.fetchIntelligence()
    XCTAssertNotNil(first.dfrId.range(of: "^[0-9a-f]{32}$", options: .regularExpression), first.dfrId)
    XCTAssertNil(first.intelligenceResponse)
    let second = try await sdk.fetchIntelligence(
      params: ["orderId": "A-1", "größe": 3, "empty": "", "requestId": "mine"], updateInfo: UpdateInfo(userId: "u1"))
    XCTAssertNotEqual(first.dfrId, second.dfrId)
  }

  func test_4_7_the_callback_form_calls_back_on_a_background_thread() async throws {
    let sdk = try sdk()
    let appId = try started("APP_ID")
    let initialized = expectation(description: "initialized")
    sdk.initialize(appId: appId) { success in
      XCTAssertTrue(success)
      XCTAssertFalse(Thread.isMainThread)
      initialized.fulfill()
    }
    await fulfillment(of: [initialized], timeout: 60)
    let fetched = expectation(description: "fetched")
    sdk.fetchIntelligence(params: nil, updateInfo: ["userEventType": "LOGIN", "unknown": 1]) {
      success, dfrId, report, message in
      XCTAssertTrue(success)
      XCTAssertEqual(dfrId?.count, 32)
      XCTAssertEqual(Set((report ?? [:]).keys), ["dfrId", "requestId"], "the app does not reveal its reports")
      XCTAssertEqual(report?["dfrId"] as? String, dfrId)
      XCTAssertNil(message)
      XCTAssertFalse(Thread.isMainThread)
      fetched.fulfill()
    }
    await fulfillment(of: [fetched], timeout: 60)
  }

  func test_7_4_initialize_returns_false_for_an_unknown_app_a_malformed_id_and_an_unlisted_bundle_id()
    async throws
  {
    let appId = try started("APP_ID")
    for (appId, packageName) in [
      ("rfa_", nil), ("", nil), ("https://ringfence.example/ü", nil), ("rfa_\r\nx-a: b", nil),
      (appId, "com.example.other"), (appId, ""),
    ] as [(String, String?)] {
      let sdk = try sdk(packageName)
      let success = await sdk.initialize(appId: appId)
      XCTAssertFalse(success)
      XCTAssertFalse(sdk.isInitialized)
    }
  }

  func test_2_7_the_callback_gets_dfrId_and_requestId_and_the_report_that_the_app_reveals() async throws {
    let report: JSON = [
      "intelligenceResponse": ["deviceRiskScore": .double(12.5), "dfrId": "of the report", "vpn": false]
    ]
    let faults = try await Faults.planned(["device-fingerprint": [report]])
    let sdk = DeviceIntelligenceSDK(Surroundings(packageName: "com.example.shop", log: { _ in }))
    sdk.baseURL = faults.url
    _ = await sdk.initialize(appId: "rfa_test")
    let fetched = expectation(description: "fetched")
    sdk.fetchIntelligence(params: nil, updateInfo: nil) { _, dfrId, response, _ in
      XCTAssertEqual(response?["dfrId"] as? String, dfrId)
      XCTAssertEqual(dfrId, (response?["requestId"] as? String).map { "dfr-of-\($0)" })
      XCTAssertEqual(response?["deviceRiskScore"] as? Double, 12.5)
      XCTAssertEqual(response?["vpn"] as? Bool, false)
      fetched.fulfill()
    }
    await fulfillment(of: [fetched], timeout: 60)
  }

  func test_concurrent_fetches_each_get_a_report() async throws {
    let sdk = try sdk()
    _ = await sdk.initialize(appId: try started("APP_ID"))
    async let first = sdk.fetchIntelligence()
    async let second = sdk.fetchIntelligence()
    async let third = sdk.fetchIntelligence()
    let ids = Set(try await [first.dfrId, second.dfrId, third.dfrId])
    XCTAssertEqual(ids.count, 3)
  }
}
