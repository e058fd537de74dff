// What does an app call? The operations of specification 4.7, in Swift.

import Foundation
import RingfenceCore

/// What the app knows of the person and the moment; all of it is optional.
public typealias UpdateInfo = RingfenceCore.UpdateInfo
/// Why there was no dfrId.
public typealias IntelligenceError = RingfenceCore.IntelligenceError

/// Device intelligence for one app. All calls may be made on any thread, and none blocks it; below iOS 15 they have no effect.
public final class DeviceIntelligenceSDK: NSObject, @unchecked Sendable {
  /// The one of this app.
  public static let shared = DeviceIntelligenceSDK()

  /// What does the work; for HeadlessAuthentication.
  public let client: IntelligenceClient
  private let lock = Lock()
  private var chosenBaseURL = Bundle.main.object(forInfoDictionaryKey: "RingfenceBaseURL") as? String

  /// Another than `shared`, with a session of its own; apps need one alone.
  public override convenience init() {
    self.init(.ofDevice)
  }

  /// For tests: with other surroundings than the device's.
  public init(_ surroundings: Surroundings) {
    client = IntelligenceClient(surroundings)
  }

  /// Where your Ringfence is, `https://ringfence.example`; from `RingfenceBaseURL` of Info.plist when it is not set. It counts at the
  /// next `initialize`.
  public var baseURL: URL? {
    get { lock.doing { chosenBaseURL }.flatMap { URL(string: $0) } }
    set { lock.doing { chosenBaseURL = newValue?.absoluteString } }
  }

  /// `initialize` has succeeded.
  public var isInitialized: Bool { client.isInitialized }

  /// Opens a session for the app; to be called once, as early as possible. Answers false when that failed: it can be called again.
  public func initialize(appId: String) async -> Bool {
    await client.initialize(appId: appId, baseURL: baseURL)
  }

  /// The same with a completion, which is called on a background thread.
  public func initialize(appId: String, completion: @escaping @Sendable (_ success: Bool) -> Void) {
    Task.detached { completion(await self.initialize(appId: appId)) }
  }

  /// Analyses the device. `params` go with the report as they are, but for the reserved keys and for values that JSON cannot hold.
  /// Throws IntelligenceError.
  public func fetchIntelligence(
    params: [String: Any] = [:], updateInfo: UpdateInfo? = nil
  ) async throws -> IntelligenceApiResponse {
    try await fetch(params.compactMapValues { JSON(any: $0) }, updateInfo)
  }

  /// The same with dictionaries and a completion, which is called on a background thread. Of `updateInfo`, unknown keys and invalid
  /// values are dropped. `intelligenceResponse` is the report, where the app reveals it.
  public func fetchIntelligence(
    params: [String: Any]?, updateInfo: [String: Any]?,
    completion: @escaping @Sendable (
      _ success: Bool, _ dfrId: String?, _ intelligenceResponse: [String: Any]?, _ errorMessage: String?
    ) -> Void
  ) {
    let ownParams = (params ?? [:]).compactMapValues { JSON(any: $0) }
    let info = updateInfo.map { UpdateInfo(dictionary: $0) }
    Task.detached {
      do {
        let response = try await self.fetch(ownParams, info)
        completion(true, response.dfrId, response.intelligenceResponse, nil)
      } catch {
        let failure = error as? IntelligenceError ?? .unknown
        // For questions to support: the completion has no place for it.
        if case .intelligenceError(let requestId?, let message) = failure {
          self.client.surroundings.log("no dfrId: \(message) (requestId \(requestId))")
        }
        completion(false, nil, nil, failure.message)
      }
    }
  }

  private func fetch(_ params: [String: JSON], _ updateInfo: UpdateInfo?) async throws -> IntelligenceApiResponse {
    IntelligenceApiResponse(try await client.fetch(params: params, updateInfo: updateInfo))
  }
}

extension DeviceIntelligenceSDK: FingerprintSource {
  /// `shared`, for HeadlessAuthentication, which looks this class up at run time.
  public static var source: FingerprintSource { shared }
}
