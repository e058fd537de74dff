// Why was there no dfrId? (specification 7.4)

import Foundation

/// What a fetch throws, and nothing else.
public enum IntelligenceError: Error, Sendable, Equatable {
  /// Asked before `initialize` has succeeded.
  case notConfigured
  /// The engine call or the push failed, or its answer lacked the dfrId after all attempts. `requestId` is for questions to support.
  case intelligenceError(requestId: String?, message: String)
  /// Unexpected internal state.
  case unknown

  /// `errorMessage` of the callback.
  public var message: String {
    switch self {
    case .notConfigured: return "SDK not initialised"
    case .intelligenceError(_, let message): return message
    case .unknown: return "Unknown intelligence error"
    }
  }
}

extension IntelligenceError: LocalizedError {
  /// The same as `message`.
  public var errorDescription: String? { message }
}
