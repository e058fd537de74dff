import XCTest

@testable import HeadlessAuthentication
@testable import RingfenceCore

final class SilentSignInTests: XCTestCase {
  private let log = Log()
  private let mobile = LoopbackMobileData()

  private func sdk(
    _ url: URL, appId: String, packageName: String = "com.example.shop", mobileData: MobileData, limit: Int = 20_000
  ) async -> HeadlessAuthenticationSDK {
    let log = self.log
    let surroundings = Surroundings(
      clock: QuickClock(), mobileData: mobileData, packageName: packageName, log: { log.write($0) })
    let sdk = HeadlessAuthenticationSDK(surroundings, { nil }, silentLimitMilliseconds: limit)
    sdk.baseURL = url
    let success = await sdk.initialize(appId: appId)
    XCTAssertTrue(success)
    return sdk
  }

  private func real(_ mobileData: MobileData? = nil, limit: Int = 20_000) async throws -> HeadlessAuthenticationSDK {
    await sdk(
      try startedURL("URL"), appId: try started("APP_ID"), packageName: try started("PACKAGE_NAME"),
      mobileData: mobileData ?? mobile, limit: limit)
  }

  private func silent(_ number: String) -> SignInRequest { SignInRequest(channel: .silent, identity: .mobile(number)) }

  private func channel(of user: SignedInUser) async throws -> String? {
    guard case .array(let identities)? = try await validated(user.token)["identities"] else { return nil }
    return identities.first?["channel"]?.string
  }

  func test_a_phone_on_mobile_data_signs_in_without_a_message() async throws {
    let sdk = try await real()
    let transaction = try await sdk.start(silent("917020141726"))
    XCTAssertEqual(transaction.channel, "SILENT")
    XCTAssertNil(transaction.silentError)
    let user = try XCTUnwrap(transaction.user)
    let channel = try await channel(of: user)
    XCTAssertEqual(channel, "SILENT_AUTH")
    XCTAssertEqual(mobile.requests.lines.count, 2, "the operator, and the service that it redirects to")
    let isOver = await failure { try await sdk.verify(otp: "123456") } as? SignInError
    XCTAssertEqual(isOver, .noSignIn)
    let second = try await sdk.start(silent("917020141726"))
    XCTAssertEqual(second.user?.userId, user.userId, "the same person at the second visit")
    XCTAssertEqual(log.lines, [])
  }

  func test_a_phone_that_the_network_does_not_verify_gets_an_OTP_and_the_reason() async throws {
    let sdk = try await real()
    for (number, reason) in [
      ("917020140170", "not_on_mobile_network"), ("917020140171", "number_not_verified"),
      ("917020140172", "not_on_mobile_network"), ("917020140173", "access_denied"), ("917020140140", nil),
    ] {
      let transaction = try await sdk.start(silent(number))
      XCTAssertEqual(transaction.channel, "OTP", number)
      XCTAssertEqual(transaction.silentError, reason, number)
      XCTAssertNil(transaction.user)
      let user = try await sdk.verify(otp: try await otp(sentTo: number))
      let channel = try await channel(of: user)
      XCTAssertEqual(channel, "OTP")
    }
  }

  func test_every_failure_on_the_way_leads_to_an_OTP() async throws {
    let code = #"{"ringfence_code":"forged"}"#
    let plans: [(reason: String, MobileData)] = [
      ("no_mobile_data", DeviceMobileData()),
      ("timeout", StreamedMobileData(allowsLoopback: true) { _ in PlannedStream("", hangs: true) }),
      ("provider_failed", StreamedMobileData { _ in PlannedStream("") }),
      ("provider_failed", PlannedMobileData { _ in page("<!doctype html>") }),
      ("provider_failed", PlannedMobileData { _ in page("[1]") }),
      ("provider_failed", PlannedMobileData { redirect(to: $0) }),
      ("provider_failed", PlannedMobileData { _ in redirect(to: "http://[") }),
    ]
    for (index, (reason, mobileData)) in plans.enumerated() {
      let sdk = try await real(mobileData, limit: reason == "timeout" ? 100 : 20_000)
      let number = "91702014101\(index)"
      let transaction = try await sdk.start(silent(number))
      XCTAssertEqual(transaction.silentError, reason, "\(index)")
      let user = try await sdk.verify(otp: try await otp(sentTo: number))
      XCTAssertFalse(user.token.isEmpty)
    }
    XCTAssertFalse(log.lines.isEmpty)
    XCTAssertEqual(log.lines.filter { $0.contains("91702014") }, [], "the log names no phone number")
    let forged = try await real(PlannedMobileData { _ in page(code) })
    let transaction = try await forged.start(silent("917020141030"))
    XCTAssertEqual(transaction.channel, "OTP", "the service refuses a code that it did not give")
    XCTAssertNotNil(transaction.silentError)
  }

  func test_the_operator_gets_neither_the_session_nor_cookies() async throws {
    let sent = Log()
    let sdk = try await real(StreamedMobileData(allowsLoopback: true) { _ in PlannedStream("", sent: sent) })
    _ = try await sdk.start(silent("917020141040"))
    let request = try XCTUnwrap(sent.lines.first).lowercased()
    for word in ["authorization", "cookie", "appid", "bearer", "referer"] {
      XCTAssertFalse(request.contains(word), "\(word): \(request)")
    }
  }

  private func offering(fallback: Bool, plan: [String: [JSON]] = [:]) async throws -> Faults {
    var answer: [String: JSON] = [
      "channel": "SILENT", "method": "SILENT_AUTH", "authorizationUrl": "https://operator.example/",
    ]
    if fallback { answer["fallback"] = "OTP" }
    return try await Faults.planned(plan.merging(["auth/start": [.object(answer)]]) { $1 })
  }

  func test_without_a_fallback_the_app_learns_why_and_no_OTP_is_started() async throws {
    let faults = try await offering(fallback: false)
    let sdk = await sdk(faults.url, appId: "rfa_test", mobileData: DeviceMobileData())
    let error = await failure { try await sdk.start(self.silent("4915123456789")) } as? SignInError
    XCTAssertEqual(error, .notVerified(reason: "no_mobile_data"))
    XCTAssertEqual(error?.message, "The phone was not verified: no_mobile_data")
    let starts = try await faults.calls("auth/start")
    XCTAssertEqual(starts.map { $0.body["channel"] }, ["SILENT"])
    let none = await failure { try await sdk.verify(otp: "123456") } as? SignInError
    XCTAssertEqual(none, .noSignIn, "the failed sign-in is over")
  }

  func test_a_verify_that_fails_leads_to_an_OTP_of_the_same_request() async throws {
    for (fault, reason) in [(500, "refused"), ("breaks", "unreachable"), ("html", "unreachable")] as [(JSON, String)] {
      let faults = try await offering(fallback: true, plan: ["auth/verify": [fault]])
      let code = PlannedMobileData { _ in page(#"{"ringfence_code":"c"}"#) }
      let sdk = await sdk(faults.url, appId: "rfa_test", mobileData: code)
      let transaction = try await sdk.start(silent("4915123456789"))
      XCTAssertEqual(transaction.silentError, reason)
      let verify = try await faults.calls("auth/verify").first
      XCTAssertEqual(verify?.body["code"], "c")
      let starts = try await faults.calls("auth/start")
      XCTAssertEqual(starts.map { $0.body["channel"] }, ["SILENT", "OTP"])
      XCTAssertEqual(starts.first?.body["identity"], starts.last?.body["identity"])
      let user = try await sdk.verify(otp: "123456")
      XCTAssertEqual(user.token, "user-token")
    }
  }

  func test_a_cancelled_start_sends_no_message() async throws {
    let faults = try await offering(fallback: true)
    let held = HeldMobileData()
    let sdk = await sdk(faults.url, appId: "rfa_test", mobileData: held)
    let request = silent("4915123456789")
    let task = Task { try await sdk.start(request) }
    try await faults.waitForCall("auth/start")
    task.cancel()
    held.release.write("now")
    let error = await failure { try await task.value }
    XCTAssertTrue(error is SignInError)
    let starts = try await faults.calls("auth/start").count
    XCTAssertEqual(starts, 1)
  }

  func test_with_a_redirectUrl_the_app_itself_opens_the_URL() async throws {
    let faults = try await offering(fallback: true)
    let untouched = PlannedMobileData { _ in page("{}") }
    let sdk = await sdk(faults.url, appId: "rfa_test", mobileData: untouched)
    var request = silent("4915123456789")
    request.redirectUrl = "com.example.shop://signed-in"
    let transaction = try await sdk.start(request)
    XCTAssertEqual(transaction.authorizationUrl, "https://operator.example/")
    XCTAssertNil(transaction.user)
    XCTAssertEqual(untouched.requests.lines, [])
  }

  func test_a_backend_learns_whether_the_phone_has_the_number() async throws {
    let sdk = try await real()
    for (number, verified) in [("917020141726", true), ("917020140171", false)] {
      let begun = try await beginNumberVerification(of: number)
      let url = try XCTUnwrap(begun["url"]?.string.flatMap { URL(string: $0) })
      let before = mobile.requests.lines.count
      let returned = try await sdk.openNumberVerification(url: url)
      XCTAssertNil(returned.error)
      XCTAssertEqual(mobile.requests.lines.count - before, 1, "the redirect URI is not opened")
      let result = try await completeNumberVerification(begun["verificationId"]?.string ?? "", returned)
      XCTAssertEqual(result["verified"], .bool(verified), "\(result)")
    }
    let onWifi = try await beginNumberVerification(of: "917020140170")["url"]?.string
    let returned = try await sdk.openNumberVerification(url: try XCTUnwrap(onWifi.flatMap { URL(string: $0) }))
    XCTAssertNil(returned.code)
    XCTAssertEqual(returned.error, "login_required")
    XCTAssertNotNil(returned.state)
  }

  func test_a_Number_Verification_that_does_not_reach_the_redirect_URI_is_an_error() async throws {
    let url = URL(string: "https://operator.example/?redirect_uri=https%3A%2F%2Fshop.example%2Fback")!
    let plans: [(String, MobileData)] = [
      ("no_mobile_data", DeviceMobileData()), ("provider_failed", PlannedMobileData { _ in page("no redirect") }),
      ("provider_failed", PlannedMobileData { _ in redirect(to: "https://other.example/back?code=c") }),
      ("timeout", StreamedMobileData { _ in PlannedStream("", hangs: true) }),
    ]
    for (reason, mobileData) in plans {
      let surroundings = Surroundings(mobileData: mobileData, packageName: "com.example.shop", log: { _ in })
      let limit = reason == "timeout" ? 100 : 20_000
      let sdk = HeadlessAuthenticationSDK(surroundings, { nil }, silentLimitMilliseconds: limit)
      let error = await failure { try await sdk.openNumberVerification(url: url) } as? SignInError
      XCTAssertEqual(error, .notVerified(reason: reason))
    }
    let sdk = try await real()
    let without = await failure { try await sdk.openNumberVerification(url: URL(string: "https://operator.example/")!) }
    guard case .notVerified? = without as? SignInError else { return XCTFail("\(String(describing: without))") }
  }
}

private func beginNumberVerification(of number: String) async throws -> JSON {
  try await outside("begin-verification", ["number": number])
}

private func completeNumberVerification(_ id: String, _ returned: NumberVerificationReturn) async throws -> JSON {
  try await outside(
    "complete-verification", ["id": id, "state": returned.state ?? "", "code": returned.code ?? ""])
}
