// In which session does the SDK call? It is opened once, and renewed when the service no longer knows it. (design: wire.md)

import Foundation

/// What the service gave this process to call with, for minutes.
public struct Session: Sendable, Equatable {
  /// `tsId` of its calls.
  public let id: String
  public let headers: [String: String]
  /// Facts that the service does not want are false.
  public let collect: [String: Bool]
}

/// Who calls: an app, by its public id.
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

/// The sessions of one app in this process, one after the other. Whoever asks while one is opened gets that one.
public actor Sessions {
  public nonisolated let caller: Caller
  public nonisolated let service: Service
  private let clock: Clock
  private var opening: Task<Session, Error>?
  private var session: Session?
  /// For the next engine call; it is accepted once.
  private var challenge = ""

  public init(caller: Caller, service: Service, clock: Clock) {
    self.caller = caller
    self.service = service
    self.clock = clock
  }

  /// The session in use; opened, with retries, when there is none.
  public func current() async throws -> Session {
    if let session = session { return session }
    if let opening = opening { return try await opening.value }
    let task = Task { try await withRetries(clock) { try await self.open() } }
    opening = task
    defer { opening = nil }
    return try await task.value
  }

  /// Does what needs a session; once more in a new one when the service refuses the session with 401.
  public func run<Value: Sendable>(_ work: @Sendable (Session) async throws -> Value) async throws -> Value {
    let used = try await current()
    do {
      return try await work(used)
    } catch let error as ServiceError where error.isOfSession {
      if session == used { session = nil }  // another call may have renewed it already
    }
    return try await work(try await current())
  }

  /// Of a session that another call has renewed meanwhile there is none; `run` then goes on in the new one.
  func challenge(of used: Session) throws -> String {
    guard session == used else { throw ServiceError("The session was renewed", status: 401) }
    return challenge
  }

  /// What the answer to an engine call brought, unless the session has changed meanwhile.
  func keep(challenge next: String, of used: Session) {
    if session == used { challenge = next }
  }

  private func open() async throws -> Session {
    let query = [("packageName", caller.packageName), ("platform", "IOS")]
      .map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
    let path = "/sdk/v1/device-fingerprint/config?" + query.joined(separator: "&")
    let told = try await service.ask(path, headers: ["appId": caller.appId])
    guard let id = told["sessionId"]?.text, let token = told["sessionToken"]?.text, let first = told["challenge"]?.text
    else { throw ServiceError("The answer holds no session") }
    var collect: [String: Bool] = [:]
    if case .object(let switches)? = told["collect"] { collect = switches.compactMapValues { $0.bool } }
    let headers = ["appId": caller.appId, "authorization": "Bearer \(token)"]
    let opened = Session(id: id, headers: headers, collect: collect)
    session = opened
    challenge = first
    return opened
  }
}
