// Why did a sign-in call fail?

import Foundation
import RingfenceCore

/// The error of every sign-in call.
public enum SignInError: Error, Sendable, Equatable {
  /// `initialize` was not called.
  case notConfigured
  /// This app has not started the sign-in, or none.
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
    case .noSignIn: return "This app has not started this sign-in. Call start first"
    case .notVerified(let reason): return "The phone was not verified: \(reason)"
    case .refused(_, _, let message, _, _), .unreachable(let message): return message
    }
  }
}

extension SignInError: LocalizedError {
  /// Same as `message`.
  public var errorDescription: String? { message }
}

extension SignInError: CustomNSError {
  /// Domain of the errors in Objective-C.
  public static var errorDomain: String { "RingfenceSignIn" }

  /// 1 notConfigured, 2 noSignIn, 3 refused, 4 notVerified, 5 unreachable.
  public var errorCode: Int {
    switch self {
    case .notConfigured: return 1
    case .noSignIn: return 2
    case .refused: return 3
    case .notVerified: return 4
    case .unreachable: return 5
    }
  }

  /// The message, and what the case holds under its own names.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any?] = [NSLocalizedDescriptionKey: message]
    switch self {
    case .refused(let status, let errorCode, _, let requestId, let retryAfterSeconds):
      info["status"] = status
      info["errorCode"] = errorCode
      info["requestId"] = requestId
      info["retryAfterSeconds"] = retryAfterSeconds
    case .notVerified(let reason): info["reason"] = reason
    case .notConfigured, .noSignIn, .unreachable: break
    }
    return info.compactMapValues { $0 }
  }
}
