import XCTest

@testable import DeviceIntelligence
@testable import HeadlessAuthentication
@testable import RingfenceCore

final class SignInTests: XCTestCase {
  private let log = Log()

  private func surroundings(_ transport: Transport = URLSessionTransport(limitSeconds: 60)) -> Surroundings {
    let log = self.log
    return Surroundings(
      clock: QuickClock(), transport: transport, packageName: "com.example.shop", log: { log.write($0) })
  }

  private func signIn(
    _ faults: Faults, fingerprint: IntelligenceClient?, limitMilliseconds: Int = 60_000,
    lateMilliseconds: Int = 60_000
  ) async -> HeadlessAuthenticationSDK {
    let sdk = HeadlessAuthenticationSDK(
      surroundings(), { fingerprint }, fingerprintLimitMilliseconds: limitMilliseconds,
      lateFingerprintMilliseconds: lateMilliseconds)
    sdk.baseURL = faults.url
    let success = await sdk.initialize(appId: "rfa_test")
    XCTAssertTrue(success)
    return sdk
  }

  private func intelligence(_ faults: Faults, initialized: Bool = true) async -> IntelligenceClient {
    let client = IntelligenceClient(surroundings())
    if initialized { _ = await client.initialize(appId: "rfa_test", baseURL: faults.url) }
    return client
  }

  private let request = SignInRequest(channel: .otp, identity: .mobile("4915123456789"))

  func test_4_7_rule_5_the_real_service_signs_a_person_in_and_a_SYNC_fingerprint_belongs_to_the_sign_in() async throws {
    let bundleId = try started("PACKAGE_NAME")
    let client = IntelligenceClient(Surroundings(packageName: bundleId))
    let initialized = await client.initialize(appId: try started("APP_ID"), baseURL: try startedURL("URL"))
    XCTAssertTrue(initialized)
    let sdk = HeadlessAuthenticationSDK(Surroundings(packageName: bundleId), { client })
    sdk.baseURL = try startedURL("URL")
    let success = await sdk.initialize(appId: try started("APP_ID"))
    XCTAssertTrue(success)
    for (number, mode) in [("4915123456701", DeviceFingerprintMode.sync), ("4915123456702", .none)] {
      let transaction = try await sdk.start(
        SignInRequest(channel: .otp, identity: .mobile(number), method: "SMS", deviceFingerprintMode: mode))
      XCTAssertEqual(transaction.channel, "OTP")
      let wrong = await failure { try await sdk.verify(otp: "000000") }
      guard case .refused(let status, let code, _, _, _)? = wrong as? SignInError else {
        return XCTFail("\(String(describing: wrong))")
      }
      XCTAssertEqual(status, 400)
      XCTAssertNotNil(code)
      let user = try await sdk.verify(otp: try await otp(sentTo: number))
      XCTAssertFalse(user.token.isEmpty)
      XCTAssertEqual(user.dfrId != nil, mode == .sync, "the service returns the dfrId of this sign-in")
      XCTAssertNotNil(user.fields["identities"])
      let deviceInfo = user.fields["deviceInfo"] as? [String: Any]
      XCTAssertNotNil(deviceInfo?["timezoneOffset"], "the service reads the facts of iOS")
    }
  }

  func test_4_7_rule_5_NONE_takes_no_fingerprint() async throws {
    let faults = try await Faults.planned()
    let sdk = await signIn(faults, fingerprint: await intelligence(faults))
    _ = try await sdk.start(request)
    _ = try await sdk.verify(otp: "123456")
    let names = try await faults.calls().map { $0.name }
    XCTAssertEqual(names, ["device-fingerprint/config", "auth/start", "auth/verify"], "one session for both")
    let start = try await faults.calls("auth/start").first
    XCTAssertEqual(start?.body["deviceFingerprintMode"], "NONE")
    XCTAssertNotNil(start?.body["facts"]?["timezone"])
    XCTAssertEqual(log.lines, [])
  }

  func test_4_7_rule_5_SYNC_takes_the_fingerprint_before_the_request_in_the_same_session() async throws {
    let faults = try await Faults.planned()
    let sdk = await signIn(faults, fingerprint: await intelligence(faults))
    var request = self.request
    request.deviceFingerprintMode = .sync
    _ = try await sdk.start(request)
    let calls = try await faults.calls()
    XCTAssertEqual(
      calls.map { $0.name }, ["device-fingerprint/config", "intelligence", "device-fingerprint", "auth/start"])
    XCTAssertTrue(calls.last?.body["dfrId"]?.string?.hasPrefix("dfr-of-") ?? false)
    XCTAssertEqual(Set(calls.dropFirst().compactMap { $0.headers["authorization"]?.string }).count, 1)
  }

  func test_4_7_rule_5_ASYNC_takes_the_fingerprint_in_parallel_and_the_request_does_not_wait() async throws {
    let faults = try await Faults.planned(["intelligence": ["held"]])
    let sdk = await signIn(faults, fingerprint: await intelligence(faults))
    var request = self.request
    request.deviceFingerprintMode = .async
    _ = try await sdk.start(request)
    let start = try await faults.calls("auth/start").first
    XCTAssertNil(start?.body["dfrId"])
    // The fingerprint is still in flight: verify waits for it.
    async let verifying = sdk.verify(otp: "123456")
    try await faults.waitForCall("intelligence")
    try await faults.release()
    _ = try await verifying
    let verify = try await faults.calls("auth/verify").first
    XCTAssertTrue(verify?.body["dfrId"]?.string?.hasPrefix("dfr-of-") ?? false)
  }

  func test_4_7_rule_5_ASYNC_status_sends_the_dfrId_too_each_time() async throws {
    let faults = try await Faults.planned(["intelligence": ["slow"]])
    let sdk = await signIn(faults, fingerprint: await intelligence(faults))
    var request = SignInRequest(channel: .magicLink, identity: .email("ada@shop.example"))
    request.deviceFingerprintMode = .async
    _ = try await sdk.start(request)
    for _ in 1...2 { _ = try await sdk.status() }
    let sent = try await faults.calls("auth/status").map { $0.body["dfrId"]?.string ?? "none" }
    XCTAssertEqual(sent.map { String($0.prefix(7)) }, ["dfr-of-", "dfr-of-"])
  }

  func test_4_7_rule_5_ASYNC_waits_only_a_moment_for_a_fingerprint_that_hangs() async throws {
    let faults = try await Faults.planned(["intelligence": ["hangs", "hangs", "hangs", "hangs"]])
    let sdk = await signIn(faults, fingerprint: await intelligence(faults), lateMilliseconds: 100)
    var request = self.request
    request.deviceFingerprintMode = .async
    _ = try await sdk.start(request)
    try await faults.waitForCall("intelligence")
    let user = try await sdk.verify(otp: "123456")
    XCTAssertEqual(user.token, "user-token")
    let verify = try await faults.calls("auth/verify").first
    XCTAssertNil(verify?.body["dfrId"])
    let attempts = try await faults.calls("intelligence").count
    XCTAssertEqual(attempts, 1, "the first attempt of the fingerprint is still in flight")
  }

  func test_4_7_rule_5_a_missing_failed_or_slow_fingerprint_logs_one_warning_and_the_person_signs_in_without_dfrId()
    async throws
  {
    for mode in [DeviceFingerprintMode.sync, .async] {
      var request = self.request
      request.deviceFingerprintMode = mode
      let plans: [(String, Faults)] = [
        ("not linked", try await Faults.planned()), ("not initialised", try await Faults.planned()),
        ("The test asked for 404", try await Faults.planned(["intelligence": [404]])),
        ("took longer than 200 ms", try await Faults.planned(["intelligence": ["hangs", "hangs", "hangs", "hangs"]])),
      ]
      for (reason, faults) in plans {
        let client =
          reason == "not linked" ? nil : await intelligence(faults, initialized: reason != "not initialised")
        let limit = reason.hasPrefix("took longer") ? 200 : 60_000
        let sdk = await signIn(faults, fingerprint: client, limitMilliseconds: limit)
        let before = log.lines.count
        _ = try await sdk.start(request)
        if mode == .async { try await until { log.lines.count > before } }
        let user = try await sdk.verify(otp: "123456")
        XCTAssertEqual(user.token, "user-token")
        let lines = log.lines.dropFirst(before)
        XCTAssertEqual(lines.count, 1, "\(lines)")
        XCTAssertTrue(lines.first?.contains(reason) ?? false, "\(lines)")
        for name in ["auth/start", "auth/verify"] {
          let call = try await faults.calls(name).first
          XCTAssertNil(call?.body["dfrId"])
        }
      }
    }
  }

  func test_4_7_rule_5_the_class_of_device_intelligence_is_found_at_run_time() {
    XCTAssertTrue(linkedFingerprint() === DeviceIntelligenceSDK.shared.client)
  }

  func test_a_refused_call_is_a_SignInError_and_the_sign_in_stays_in_progress() async throws {
    let faults = try await Faults.planned(["auth/start": ["html", "breaks"], "auth/verify": [401, 500]])
    let sdk = await signIn(faults, fingerprint: nil)
    for _ in 1...2 {
      let error = await failure { try await sdk.start(self.request) } as? SignInError
      guard case .unreachable? = error else { return XCTFail("\(String(describing: error))") }
    }
    let none = await failure { try await sdk.verify(otp: "123456") } as? SignInError
    XCTAssertEqual(none, .noSignIn)
    let transaction = try await sdk.start(request)
    let failed = await failure { try await sdk.verify(otp: "123456") } as? SignInError
    guard case .refused(500, _, _, _, _)? = failed else { return XCTFail("\(String(describing: failed))") }
    let wrong = await failure { try await sdk.verify(otp: "1") } as? SignInError
    XCTAssertEqual(
      wrong,
      .refused(
        status: 400, errorCode: "7203", message: "Request error: Wrong OTP", requestId: "request-of-http",
        retryAfterSeconds: nil))
    let status = try await sdk.status()
    XCTAssertEqual(status.status, .pending)
    let again = try await sdk.resend()
    XCTAssertEqual(again.transactionId, transaction.transactionId)
    let user = try await sdk.verify(otp: "123456")
    XCTAssertEqual(user.userId, "u1")
    let over = await failure { try await sdk.resend() } as? SignInError
    XCTAssertEqual(over, .noSignIn)
  }

  func test_an_unusable_response_is_a_SignInError_and_start_is_not_sent_twice() async throws {
    let faults: [JSON] = ["html", "list", "redirect", "huge", "deep", "breaks", "hangs", 404, 429, 500]
    for fault in faults {
      let run = try await Faults.planned(["auth/start": [fault]])
      let sdk = HeadlessAuthenticationSDK(surroundings(ImpatientTransport()), { nil })
      sdk.baseURL = run.url
      _ = await sdk.initialize(appId: "rfa_test")
      let error = await failure { try await sdk.start(self.request) }
      XCTAssertTrue(error is SignInError, "\(fault): \(String(describing: error))")
      let starts = try await run.calls("auth/start").count
      XCTAssertEqual(starts, 1, "\(fault)")
      _ = try await sdk.start(request)
      let user = try await sdk.verify(otp: "123456")
      XCTAssertEqual(user.token, "user-token")
    }
  }

  func test_initialize_returns_false_when_the_service_refuses_and_a_sign_in_tries_again() async throws {
    let faults = try await Faults.planned(["device-fingerprint/config": [404]])
    let sdk = HeadlessAuthenticationSDK(surroundings(), { nil })
    let without = await sdk.initialize(appId: "rfa_test")
    XCTAssertFalse(without)
    sdk.baseURL = faults.url
    let success = await sdk.initialize(appId: "rfa_test")
    XCTAssertFalse(success)
    XCTAssertEqual(log.lines.count, 2)
    XCTAssertTrue(log.lines.last?.contains("The test asked for 404") ?? false, "\(log.lines)")
    let transaction = try await sdk.start(request)
    XCTAssertFalse(transaction.transactionId.isEmpty)
  }

  func test_every_call_before_initialize_throws_notConfigured() async {
    let sdk = HeadlessAuthenticationSDK(surroundings(), { nil })
    let start = await failure { try await sdk.start(self.request) } as? SignInError
    let verify = await failure { try await sdk.verify(otp: "123456") } as? SignInError
    XCTAssertEqual([start, verify], [.notConfigured, .notConfigured])
  }
}

extension Faults {
  /// Waits until the call has arrived.
  func waitForCall(_ name: String) async throws {
    try await until { try await !calls(name).isEmpty }
  }
}
