// Why did a call to the service fail?

import Foundation

/// The service's error, or why there was no usable response.
public struct ServiceError: Error, Sendable, Equatable {
  public let message: String
  /// Include it in support requests.
  public var requestId: String?
  /// HTTP status, if the service responded.
  public var status: Int?
  /// The service's error code.
  public var errorCode: String?
  /// Seconds to wait before the next attempt.
  public var retryAfterSeconds: Int?

  public init(
    _ message: String, requestId: String? = nil, status: Int? = nil, errorCode: String? = nil,
    retryAfterSeconds: Int? = nil
  ) {
    self.message = message
    self.requestId = requestId
    self.status = status
    self.errorCode = errorCode
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// True if a retry cannot change the result: 4xx except 408 and 429.
  var isFinal: Bool {
    guard let status = status else { return false }
    return (400..<500).contains(status) && status != 408 && status != 429
  }

  var isOfSession: Bool { status == 401 }
}
