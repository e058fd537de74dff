// What does a fetch answer? (specification 2.7)

import RingfenceCore

/// What the service made of the device.
public struct IntelligenceApiResponse: Sendable, Equatable {
  /// For the backend, which fetches the report with it.
  public let dfrId: String
  /// For questions to support.
  public let requestId: String
  private let report: JSON?

  init(_ intelligence: Intelligence) {
    dfrId = intelligence.dfrId
    requestId = intelligence.requestId
    report = intelligence.report
  }

  /// The report, where the app reveals it.
  public var intelligenceResponse: [String: Any]? { report?.any as? [String: Any] }
}
