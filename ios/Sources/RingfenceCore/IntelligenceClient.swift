// Which object does an app initialise and then use to analyse the device? (specification 3, 4.7)

import Foundation

/// The state of one app: not initialised, or with its session.
public final class IntelligenceClient: @unchecked Sendable {
  public let surroundings: Surroundings
  private let lock = Lock()
  private var opening: Opening?
  private var opened: Intelligences?

  private struct Opening {
    let appId: String
    let baseURL: URL
    let success: Task<Bool, Never>
  }

  public init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
  }

  public var isInitialized: Bool { lock.withLock { opened != nil } }

  /// The current sessions, once initialised. A sign-in of the same app uses them, so that its dfrId
  /// belongs to its session.
  public var sessions: Sessions? { lock.withLock { opened?.sessions } }

  /// Opens a session for the app. Returns false if the app is unknown or disabled, does not list
  /// this bundle id, or the service cannot be reached. Call it again then, and before each fetch:
  /// after a success it returns true at once, and false for another app id or URL.
  public func initialize(appId: String, baseURL: URL?) async -> Bool {
    guard surroundings.isSupported else { return notInitialised("it needs iOS 15 or later") }
    guard let baseURL = baseURL, ["http", "https"].contains(baseURL.scheme?.lowercased() ?? "") else {
      return notInitialised("set baseURL, or RingfenceBaseURL in Info.plist, to the URL of your Ringfence service")
    }
    let current: Opening = lock.withLock {
      if let opening = opening { return opening }
      let new = Opening(appId: appId, baseURL: baseURL, success: Task { await self.open(appId, baseURL) })
      opening = new
      return new
    }
    guard current.appId == appId, current.baseURL == baseURL else {
      return notInitialised("another app id or base URL is already in use")
    }
    return await current.success.value
  }

  /// Throws IntelligenceError only.
  public func fetch(params: [String: JSON], updateInfo: UpdateInfo?) async throws -> Intelligence {
    guard let intelligences = lock.withLock({ opened }) else {
      let error = IntelligenceError.notConfigured
      surroundings.log("\(error.message): call initialize first, and again when it has returned false")
      throw error
    }
    do {
      return try await intelligences.fetch(params: params, updateInfo: updateInfo)
    } catch let error as ServiceError {
      throw IntelligenceError.intelligenceError(requestId: error.requestId, message: error.message)
    } catch {
      throw IntelligenceError.unknown
    }
  }

  private func open(_ appId: String, _ baseURL: URL) async -> Bool {
    let caller = Caller(appId: appId, baseURL: baseURL, packageName: surroundings.packageName)
    let service = Service(baseURL: baseURL, transport: surroundings.transport)
    let sessions = Sessions(caller: caller, service: service, clock: surroundings.clock)
    do {
      _ = try await sessions.current()
    } catch {
      lock.withLock { opening = nil }
      let failure = error as? ServiceError
      return notInitialised("\(failure?.message ?? "\(error)") (requestId \(failure?.requestId ?? "none"))")
    }
    let intelligences = Intelligences(sessions: sessions, surroundings: surroundings)
    lock.withLock { opened = intelligences }
    return true
  }

  private func notInitialised(_ reason: String) -> Bool {
    surroundings.log("not initialised: \(reason)")
    return false
  }
}
