// Why did a call of the service fail?

import Foundation

/// What the service said, or that it said nothing.
public struct ServiceError: Error, Sendable, Equatable {
  public let message: String
  /// For questions to support.
  public var requestId: String?
  /// HTTP status, where the service answered.
  public var status: Int?
  /// The service's own code of the refusal.
  public var errorCode: String?
  /// To be waited for before the next try.
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

  /// The service has decided: to ask again changes nothing. Not so overload, its own failures, and whatever answers in its place.
  var isFinal: Bool {
    guard let status = status else { return false }
    return (400..<500).contains(status) && status != 408 && status != 429
  }

  var isOfSession: Bool { status == 401 }
}
