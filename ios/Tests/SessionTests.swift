import XCTest

@testable import RingfenceCore

final class SessionTests: XCTestCase {
  private func sessions(_ faults: Faults) -> Sessions {
    let caller = Caller(appId: "rfa_test", baseURL: faults.url, packageName: "com.example.shop")
    let service = Service(baseURL: faults.url, transport: URLSessionTransport())
    return Sessions(caller: caller, service: service, clock: QuickClock())
  }

  func test_concurrent_calls_renew_an_expired_session_once_and_both_continue_in_the_new_one() async throws {
    let faults = try await Faults.planned()
    let sessions = sessions(faults)
    let expired = try await sessions.current()
    let bothStarted = First<Bool>()
    let renewed = First<Bool>()
    let late = Task {
      try await sessions.run { used -> Session in
        guard used == expired else { return used }
        bothStarted.resolve(true)
        _ = await renewed.value()  // the other call renews the session before this one gets its 401
        throw ServiceError("The session is unknown", status: 401)
      }
    }
    let early = try await sessions.run { used -> Session in
      if used == expired {
        _ = await bothStarted.value()
        throw ServiceError("The session is unknown", status: 401)
      }
      renewed.resolve(true)
      return used
    }
    let later = try await late.value
    XCTAssertNotEqual(early, expired)
    XCTAssertEqual(later, early)
    let opened = try await faults.calls("device-fingerprint/config").count
    XCTAssertEqual(opened, 2)
  }

  func test_the_service_learns_the_version_of_the_system_before_it_says_which_facts_it_wants() async throws {
    let faults = try await Faults.planned()
    _ = try await sessions(faults).current()
    let version = ProcessInfo.processInfo.operatingSystemVersion
    let config = try await faults.calls("device-fingerprint/config").first?.body
    XCTAssertEqual(
      config?["systemVersion"]?.text, "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
  }

  func test_a_session_that_is_refused_twice_is_renewed_only_once() async throws {
    let faults = try await Faults.planned()
    let error = await failure {
      try await self.sessions(faults).run { _ -> Bool in throw ServiceError("The session is unknown", status: 401) }
    }
    XCTAssertEqual((error as? ServiceError)?.status, 401)
    let opened = try await faults.calls("device-fingerprint/config").count
    XCTAssertEqual(opened, 2)
  }
}
