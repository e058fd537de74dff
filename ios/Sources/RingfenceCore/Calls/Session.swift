// Which session do the SDK's calls use? One, renewed when the service refuses it. (design: wire.md)

import Foundation

/// The credentials of this process for its calls. They expire after some minutes.
public struct Session: Sendable, Equatable {
  /// Sent as `tsId`.
  public let id: String
  public let headers: [String: String]
  /// Facts set to false in the app's settings.
  public let collect: [String: Bool]
}

/// The app that calls, by its public id.
public struct Caller: Sendable, Equatable {
  public let appId: String
  public let baseURL: URL
  public let packageName: String

  public init(appId: String, baseURL: URL, packageName: String) {
    self.appId = appId
    self.baseURL = baseURL
    self.packageName = packageName
  }
}

/// The sessions of one app in this process, one at a time. Concurrent callers share one session.
public actor Sessions {
  public nonisolated let caller: Caller
  public nonisolated let service: Service
  private let clock: Clock
  private var opening: Task<Session, Error>?
  private var session: Session?
  /// Which facts the service wanted in the last session.
  private(set) var collect: [String: Bool] = [:]
  /// For the next engine call. The service accepts it once.
  private var challenge = ""

  public init(caller: Caller, service: Service, clock: Clock) {
    self.caller = caller
    self.service = service
    self.clock = clock
  }

  /// The current session. Opens one, with retries, if there is none.
  public func current() async throws -> Session {
    if let session = session { return session }
    if let opening = opening { return try await opening.value }
    let task = Task { try await withRetries(clock) { try await self.open() } }
    opening = task
    defer { opening = nil }
    return try await task.value
  }

  /// Runs work that needs a session. If the service responds with 401, runs it once more in a new
  /// session.
  public func run<Value: Sendable>(_ work: @Sendable (Session) async throws -> Value) async throws -> Value {
    let used = try await current()
    do {
      return try await work(used)
    } catch let error as ServiceError where error.isOfSession {
      if session == used { session = nil }  // another call may have renewed it already
    }
    return try await work(try await current())
  }

  /// Throws 401 if another call has renewed the session, so that `run` continues in the new one.
  func challenge(of used: Session) throws -> String {
    guard session == used else { throw ServiceError("The session was renewed", status: 401) }
    return challenge
  }

  /// Stores the next challenge, unless the session was renewed since.
  func store(challenge next: String, of used: Session) {
    if session == used { challenge = next }
  }

  private func open() async throws -> Session {
    let system = ProcessInfo.processInfo.operatingSystemVersion
    let version = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
    let query = [("packageName", caller.packageName), ("platform", "IOS"), ("systemVersion", version)]
      .map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
    let path = "/sdk/v1/device-fingerprint/config?" + query.joined(separator: "&")
    let config = try await service.send(path, headers: ["appId": caller.appId])
    guard let id = config["sessionId"]?.text, let token = config["sessionToken"]?.text,
      let first = config["challenge"]?.text
    else { throw ServiceError("The response has no session") }
    var collect: [String: Bool] = [:]
    if case .object(let switches)? = config["collect"] { collect = switches.compactMapValues { $0.bool } }
    let headers = ["appId": caller.appId, "authorization": "Bearer \(token)"]
    let opened = Session(id: id, headers: headers, collect: collect)
    session = opened
    self.collect = collect
    challenge = first
    return opened
  }
}
