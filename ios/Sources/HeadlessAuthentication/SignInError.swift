// Why did a sign-in not go on?

import Foundation
import RingfenceCore

/// What every call of a sign-in throws.
public enum SignInError: Error, Sendable, Equatable {
  /// `initialize` was not called.
  case notConfigured
  /// No sign-in was started, and none is named.
  case noSignIn
  /// The service said no. `errorCode` is its own; `retryAfterSeconds` is to be waited for before the next try.
  case refused(status: Int, errorCode: String?, message: String, requestId: String?, retryAfterSeconds: Int?)
  /// The service could not be reached, or its answer was none.
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

  static func incomplete(_ field: String) -> SignInError { .unreachable(message: "The answer has no \(field)") }

  /// For the person or the log.
  public var message: String {
    switch self {
    case .notConfigured: return "SDK not initialised"
    case .noSignIn: return "No sign-in is under way"
    case .refused(_, _, let message, _, _), .unreachable(let message): return message
    }
  }
}

extension SignInError: LocalizedError {
  /// The same as `message`.
  public var errorDescription: String? { message }
}
