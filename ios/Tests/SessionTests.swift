import XCTest

@testable import RingfenceCore

final class SessionTests: XCTestCase {
  private func sessions(_ faults: Faults) -> Sessions {
    let caller = Caller(appId: "rfa_test", baseURL: faults.url, packageName: "com.example.shop")
    let service = Service(baseURL: faults.url, transport: URLSessionTransport())
    return Sessions(caller: caller, service: service, clock: QuickClock())
  }

  func test_two_calls_at_once_whose_session_is_gone_renew_it_once_and_both_go_on_in_the_new_one() async throws {
    let faults = try await Faults.planned()
    let sessions = sessions(faults)
    let gone = try await sessions.current()
    let bothAsk = First<Bool>()
    let renewed = First<Bool>()
    let late = Task {
      try await sessions.run { used -> Session in
        guard used == gone else { return used }
        bothAsk.answer(true)
        _ = await renewed.value()  // the other call has renewed it before this one hears of its 401
        throw ServiceError("The session is unknown", status: 401)
      }
    }
    let early = try await sessions.run { used -> Session in
      if used == gone {
        _ = await bothAsk.value()
        throw ServiceError("The session is unknown", status: 401)
      }
      renewed.answer(true)
      return used
    }
    let later = try await late.value
    XCTAssertNotEqual(early, gone)
    XCTAssertEqual(later, early)
    let opened = try await faults.calls("device-fingerprint/config").count
    XCTAssertEqual(opened, 2)
  }

  func test_a_session_that_is_refused_twice_is_not_renewed_again() async throws {
    let faults = try await Faults.planned()
    let error = await failure {
      try await self.sessions(faults).run { _ in throw ServiceError("The session is unknown", status: 401) }
    }
    XCTAssertEqual((error as? ServiceError)?.status, 401)
    let opened = try await faults.calls("device-fingerprint/config").count
    XCTAssertEqual(opened, 2)
  }
}
