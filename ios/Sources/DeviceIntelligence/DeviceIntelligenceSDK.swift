// What does an app call? The operations of specification 4.7, in Swift.

import Foundation
import RingfenceCore

/// What the app knows about the person and the event. All fields are optional.
public typealias UpdateInfo = RingfenceCore.UpdateInfo
/// Why a fetch returned no dfrId.
public typealias IntelligenceError = RingfenceCore.IntelligenceError

/// Device intelligence for one app. You can make all calls on any thread; none blocks it. Below iOS
/// 15, and on Apple's other systems, they have no effect.
public final class DeviceIntelligenceSDK: NSObject, @unchecked Sendable {
  /// The instance for this app.
  public static let shared = DeviceIntelligenceSDK()

  /// The implementation. HeadlessAuthentication uses it.
  public let client: IntelligenceClient
  private let lock = Lock()
  private var chosenBaseURL = Bundle.main.object(forInfoDictionaryKey: "RingfenceBaseURL") as? String

  /// A second instance with its own session. Apps need only `shared`.
  public override convenience init() {
    self.init(.ofDevice)
  }

  /// For tests: with replaced surroundings.
  public init(_ surroundings: Surroundings) {
    client = IntelligenceClient(surroundings)
  }

  /// URL of your Ringfence service, `https://ringfence.example`. Default: `RingfenceBaseURL` in
  /// Info.plist. A change takes effect at the next `initialize`.
  public var baseURL: URL? {
    get { lock.withLock { chosenBaseURL }.flatMap { URL(string: $0) } }
    set { lock.withLock { chosenBaseURL = newValue?.absoluteString } }
  }

  /// True once `initialize` has succeeded.
  public var isInitialized: Bool { client.isInitialized }

  /// Opens a session for the app. Call it at launch, and before each fetch: after a success it
  /// returns true at once, and after a launch without a network it tries again.
  public func initialize(appId: String) async -> Bool {
    await client.initialize(appId: appId, baseURL: baseURL)
  }

  /// The same with a completion, which is called on a background thread.
  public func initialize(appId: String, completion: @escaping @Sendable (_ success: Bool) -> Void) {
    Task.detached { completion(await self.initialize(appId: appId)) }
  }

  /// Analyses the device. `params` are sent with the report, except reserved keys and values that
  /// JSON cannot represent. Throws IntelligenceError.
  public func fetchIntelligence(
    params: [String: Any] = [:], updateInfo: UpdateInfo? = nil
  ) async throws -> IntelligenceApiResponse {
    try await fetch(params.compactMapValues { JSON(any: $0) }, updateInfo)
  }

  /// The same with dictionaries and a completion, which is called on a background thread. Unknown
  /// keys and invalid values of `updateInfo` are dropped. `intelligenceResponse` has `dfrId`,
  /// `requestId`, and the fields of the report, if the app's settings reveal it to the SDK.
  public func fetchIntelligence(
    params: [String: Any]?, updateInfo: [String: Any]?,
    completion: @escaping @Sendable (
      _ success: Bool, _ dfrId: String?, _ intelligenceResponse: [String: Any]?, _ errorMessage: String?
    ) -> Void
  ) {
    let allowedParams = (params ?? [:]).compactMapValues { JSON(any: $0) }
    let info = updateInfo.map { UpdateInfo(dictionary: $0) }
    Task.detached {
      do {
        let response = try await self.fetch(allowedParams, info)
        completion(true, response.dfrId, response.fields, nil)
      } catch {
        let failure = error as? IntelligenceError ?? .unknown
        // Support needs the requestId, and the completion has no parameter for it.
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
  /// `shared`. HeadlessAuthentication looks this class up at run time.
  public static var source: FingerprintSource { shared }
}
