// Why did a sign-in call fail?

import Foundation
import RingfenceCore

/// The error of every sign-in call.
public enum SignInError: Error, Sendable, Equatable {
  /// `initialize` was not called.
  case notConfigured
  /// No sign-in was started, and the call names none.
  case noSignIn
  /// The service refused the call. `errorCode` is the service's; wait `retryAfterSeconds` before
  /// the next attempt.
  case refused(status: Int, errorCode: String?, message: String, requestId: String?, retryAfterSeconds: Int?)
  /// The mobile network did not verify the phone, for this reason, and there is no fallback.
  case notVerified(reason: String)
  /// The service could not be reached, or its response was not usable.
  case unreachable(message: String)

  init(_ error: ServiceError) {
    if let status = error.status {
      self = .refused(
        status: status, errorCode: error.errorCode, message: error.message, requestId: error.requestId,
        retryAfterSeconds: error.retryAfterSeconds)
    } else {
      self = .unreachable(message: error.message)
    }
  }

  static func incomplete(_ field: String) -> SignInError { .unreachable(message: "The response has no \(field)") }

  /// Text for the person or the log.
  public var message: String {
    switch self {
    case .notConfigured: return "SDK not initialised"
    case .noSignIn: return "No sign-in is in progress. Call start first"
    case .notVerified(let reason): return "The phone was not verified: \(reason)"
    case .refused(_, _, let message, _, _), .unreachable(let message): return message
    }
  }
}

extension SignInError: LocalizedError {
  /// Same as `message`.
  public var errorDescription: String? { message }
}
