// Why did a fetch return no dfrId? (specification 7.4)

import Foundation

/// The only error type that a fetch throws.
public enum IntelligenceError: Error, Sendable, Equatable {
  /// Called before `initialize` has succeeded.
  case notConfigured
  /// The engine call or the push failed, or no response had a dfrId. Include `requestId` in support
  /// requests.
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
  /// Same as `message`.
  public var errorDescription: String? { message }
}
