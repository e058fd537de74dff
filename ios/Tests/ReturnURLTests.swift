import XCTest

@testable import HeadlessAuthentication
@testable import RingfenceCore

/// Another app may register the same scheme, and an attacker may send a link. (RFC 8252, 8.1)
final class ReturnURLTests: XCTestCase {
  private let owner = "rfa_test https://ringfence.example"

  /// What the phone stores for one app.
  private func newFiles() -> PrivateFiles {
    PrivateFiles(FileManager.default.temporaryDirectory.appendingPathComponent("ringfence-\(UUID().uuidString)"))
  }

  private func launched(
    _ storage: PersistentStorage, url: URL? = nil, clock: RingfenceCore.Clock = QuickClock()
  ) async throws -> HeadlessAuthenticationSDK {
    let surroundings = Surroundings(
      clock: clock, storage: storage, packageName: try started("PACKAGE_NAME"), log: { _ in })
    let sdk = HeadlessAuthenticationSDK(surroundings, { nil })
    sdk.baseURL = try url ?? startedURL("URL")
    let success = await sdk.initialize(appId: url == nil ? try started("APP_ID") : "rfa_test")
    XCTAssertTrue(success)
    return sdk
  }

  /// A start, and the URL that opens the app. `name`: of the person.
  private func returned(_ name: String, to sdk: HeadlessAuthenticationSDK) async throws -> (id: String, code: String) {
    let email = "\(name)@shop.example"
    return try await returned(SignInRequest(channel: .magicLink, identity: .email(email)), sentTo: email, to: sdk)
  }

  private func returned(
    _ request: SignInRequest, sentTo recipient: String, to sdk: HeadlessAuthenticationSDK
  ) async throws -> (id: String, code: String) {
    var request = request
    request.redirectUrl = "\(try started("PACKAGE_NAME"))://signed-in"
    let transaction = try await sdk.start(request)
    let items = URLComponents(string: try await openLink(sentTo: recipient))?.queryItems ?? []
    let code = items.first { $0.name == "ringfence_code" }?.value
    return (transaction.transactionId, try XCTUnwrap(code))
  }

  func test_an_OTP_that_the_telecom_gate_made_a_magic_link_is_finished_by_its_code_after_a_restart() async throws {
    let files = newFiles()
    let swapped = "4915123450110"
    let otp = SignInRequest(channel: .otp, identity: .mobile(swapped))
    let (id, code) = try await returned(otp, sentTo: swapped, to: try await launched(files))
    let user = try await launched(files).verify(code: code, transactionId: id)
    XCTAssertFalse(user.token.isEmpty)
  }

  func test_another_app_that_got_the_return_URL_cannot_finish_and_the_owner_can_after_a_restart() async throws {
    let files = newFiles()
    let (id, code) = try await returned("owner", to: try await launched(files))
    let others = newFiles()
    let other = try await launched(others)
    let notStarted = await failure { try await other.verify(code: code, transactionId: id) } as? SignInError
    XCTAssertEqual(notStarted, .noSignIn)
    // Attackers write their own SDK.
    var forged = PendingSignIns(others, QuickClock())
    let (appId, url) = (try started("APP_ID"), try started("URL"))
    forged.save(id, CodeVerifier().text, "\(appId) \(url)")
    let forger = try await launched(others)
    let refused = await failure { try await forger.verify(code: code, transactionId: id) } as? SignInError
    guard case .refused(400, "7135", _, _, _)? = refused else { return XCTFail("\(String(describing: refused))") }
    let user = try await launched(files).verify(code: code, transactionId: id)
    XCTAssertFalse(user.token.isEmpty)
  }

  func test_the_link_of_an_attacker_signs_nobody_in() async throws {
    let (id, code) = try await returned("mallory", to: try await launched(newFiles()))
    let victim = try await launched(newFiles())
    _ = try await victim.start(SignInRequest(channel: .otp, identity: .email("victim@shop.example")))
    let calls: [() async throws -> Any] = [
      { try await victim.verify(code: code, transactionId: id) }, { try await victim.status(transactionId: id) },
      { try await victim.verify(otp: "123456", transactionId: id) }, { try await victim.resend(transactionId: id) },
    ]
    for call in calls {
      let error = await failure(of: call) as? SignInError
      XCTAssertEqual(error, .noSignIn)
    }
  }

  func test_the_verifier_goes_with_a_code_only_and_is_deleted_when_it_was_used() async throws {
    let faults = try await Faults.planned()
    let files = newFiles()
    let sdk = try await launched(files, url: faults.url)
    let request = SignInRequest(channel: .otp, identity: .mobile("4915123456789"))
    _ = try await sdk.start(request)
    _ = try await sdk.start(request)
    let stored = try XCTUnwrap(files.text("signIns"))
    _ = await failure { try await sdk.verify(code: "wrong") }
    let starts = try await faults.calls("auth/start").map { $0.body["codeChallenge"]?.string }
    let withCode = try await faults.calls("auth/verify").first?.body["codeVerifier"]?.string
    let verifier = try XCTUnwrap(withCode)
    XCTAssertTrue(stored.contains(verifier))
    XCTAssertEqual(starts, [challenge(of: verifier), challenge(of: verifier)], "a repeated start is the same sign-in")
    _ = try await sdk.verify(otp: "123456")
    let withOTP = try await faults.calls("auth/verify").last?.body
    XCTAssertNil(withOTP?["codeVerifier"])
    XCTAssertFalse((files.text("signIns") ?? "").contains(withOTP?["transactionId"]?.string ?? "none"))
    _ = try await sdk.start(request)
    let next = try await faults.calls("auth/start").last?.body["codeChallenge"]?.string
    XCTAssertNotEqual(next, challenge(of: verifier))
  }

  func test_the_challenge_is_that_of_RFC_7636_appendix_B() {
    XCTAssertEqual(
      challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  func test_five_sign_ins_are_stored_for_a_day() {
    let files = newFiles()
    let clock = MovedClock()
    var pending = PendingSignIns(files, clock)
    for count in 1...6 { pending.save("transaction-\(count)", "verifier", owner) }
    var after = PendingSignIns(files, clock)
    XCTAssertNil(after.of("transaction-1", owner))
    XCTAssertEqual(after.of("transaction-2", owner)?.codeVerifier, "verifier")
    XCTAssertEqual(after.of(nil, owner)?.transactionId, "transaction-6")
    for seconds in [86_401.0, -86_401] {
      clock.seconds = seconds
      XCTAssertNil(after.of(nil, owner))
    }
    after.forget("transaction-6")
    XCTAssertNil(files.text("signIns"))
  }

  func test_a_clock_that_is_set_while_the_person_is_away_costs_no_sign_in() async throws {
    let today = Date().timeIntervalSince1970 - MovedClock.start
    for (name, wrong) in [("behind", -MovedClock.start), ("ahead", today + 31_536_000)] {
      let clock = MovedClock()
      clock.seconds = wrong
      let sdk = try await launched(newFiles(), clock: clock)
      let (id, code) = try await returned("clock-\(name)", to: sdk)
      clock.seconds = today
      let user = try await sdk.verify(code: code, transactionId: id)
      XCTAssertFalse(user.token.isEmpty, name)
    }
  }

  func test_a_sign_in_belongs_to_its_app_and_its_service() {
    let files = newFiles()
    var pending = PendingSignIns(files, QuickClock())
    pending.save("t", "verifier", owner)
    var after = PendingSignIns(files, QuickClock())
    for other in ["rfa_other https://ringfence.example", "rfa_test https://other.example"] {
      XCTAssertNil(pending.of("t", other))
      XCTAssertNil(after.of(nil, other))
    }
    XCTAssertEqual(after.of(nil, owner)?.transactionId, "t")
  }

  func test_a_damaged_file_costs_the_sign_ins_and_nothing_else() {
    let files = newFiles()
    for text in ["", "{", "[1]", "[{\"transactionId\":\"t\"}]", "{\"transactionId\":\"t\"}"] {
      files.store(text, as: "signIns")
      var pending = PendingSignIns(files, QuickClock())
      XCTAssertNil(pending.of(nil, owner), text)
      pending.save("t", "verifier", owner)
      XCTAssertEqual(pending.of("t", owner)?.codeVerifier, "verifier")
    }
  }

  private func challenge(of verifier: String) -> String { base64url(sha256(Data(verifier.utf8))) }
}

/// A clock that stands still.
private final class MovedClock: RingfenceCore.Clock, @unchecked Sendable {
  static let start: Double = 1_800_000_000
  var seconds: Double = 0

  func now() -> Date { Date(timeIntervalSince1970: MovedClock.start + seconds) }
  func wait(milliseconds: Int) async throws {}
}
