// What does a fetch return? (specification 2.7)

import RingfenceCore

/// The result of one analysis of the device.
public struct IntelligenceApiResponse: Sendable, Equatable {
  /// Send it to your backend, which fetches the report with it.
  public let dfrId: String
  /// Include it in support requests.
  public let requestId: String
  private let report: JSON?

  init(_ intelligence: Intelligence) {
    dfrId = intelligence.dfrId
    requestId = intelligence.requestId
    report = intelligence.report
  }

  /// The report, if the app's settings reveal it to the SDK.
  public var intelligenceResponse: [String: Any]? { report?.any as? [String: Any] }

  /// `intelligenceResponse` of the callback.
  var fields: [String: Any] {
    (intelligenceResponse ?? [:]).merging(["dfrId": dfrId, "requestId": requestId]) { $1 }
  }
}
