// What does the service answer to a phone that its operator redirected? A code for `verify`, or why there is none.

import Foundation
import RingfenceCore

/// The mobile network did not verify the phone.
struct NotVerified: Error, Equatable {
  /// As in `SignInTransaction.silentError`.
  let reason: String

  init(reason: String) {
    self.reason = reason
  }

  init(_ error: Error) {
    switch error {
    case let error as NotVerified: self = error
    case MobileDataError.unavailable: reason = "no_mobile_data"
    case MobileDataError.timeout: reason = "timeout"
    case is MobileDataError: reason = "provider_failed"
    case SignInError.refused(_, let errorCode, _, _, _): reason = errorCode ?? "refused"
    default: reason = "unreachable"
    }
  }
}

/// Opens the operator's URL over mobile data. Throws NotVerified.
func silentCode(of url: String, _ surroundings: Surroundings, limitMilliseconds: Int) async throws -> String {
  let end = try await visited(url, surroundings, limitMilliseconds: limitMilliseconds)
  guard case .response(let response) = end,
    let answer = try? JSONDecoder().decode(JSON.self, from: response.body)
  else {
    surroundings.log("Number Verification: the operator did not lead back to the service")
    throw NotVerified(reason: "provider_failed")
  }
  // The service checks the code, so that of anybody else is worth nothing.
  if let code = answer["ringfence_code"]?.text { return code }
  throw NotVerified(reason: answer["ringfence_error"]?.text ?? "provider_failed")
}

/// Logs why the URL could not be opened. Throws NotVerified.
func visited(
  _ url: String, until redirectUri: String? = nil, _ surroundings: Surroundings, limitMilliseconds: Int
) async throws -> VisitEnd {
  do {
    guard let url = URL(string: url) else { throw MobileDataError.failed("the URL is not valid") }
    return try await visit(
      url, until: redirectUri, over: surroundings.mobileData, limitMilliseconds: limitMilliseconds)
  } catch {
    let reason = (error as? MobileDataError)?.message ?? "\(error)"
    surroundings.log("Number Verification failed: \(reason)")
    throw NotVerified(error)
  }
}
