// Which services do the tests call? The real one and one with faults, started by npm run test:ios.

import Foundation
import XCTest

@testable import RingfenceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A value that `npm run test:ios` passes in. Without it the test fails.
func started(_ name: String) throws -> String {
  try XCTUnwrap(ProcessInfo.processInfo.environment["RINGFENCE_\(name)"], "run the tests with npm run test:ios")
}

func startedURL(_ name: String) throws -> URL {
  try XCTUnwrap(URL(string: try started(name)))
}

/// Waits for what happens in the background: longer than the slowest machine needs.
func until(_ isSo: () async throws -> Bool) async throws {
  let giveUpAt = Date() + 60
  while try await !isSo() {
    guard Date() < giveUpAt else { return XCTFail("it did not happen") }
    try await Task.sleep(nanoseconds: 20_000_000)
  }
}

/// Its calls may take as long as the slowest machine needs. One for all tests: each keeps its
/// connections.
let patientTransport = URLSessionTransport(limitSeconds: 60)

extension Surroundings {
  /// Facts and proofs may take as long as the slowest machine needs.
  var patient: Surroundings {
    var patient = self
    patient.probeLimitMilliseconds = 60_000
    patient.appAttestLimitMilliseconds = 60_000
    return patient
  }
}

/// Gives up a call that has no answer, as after a time limit. Only the service can tell: on a busy
/// machine each call may take longer than any limit.
final class ImpatientTransport: Transport, @unchecked Sendable {
  private let lock = Lock()
  private var givenUp: [String: Int] = [:]
  private let transport = URLSessionTransport(limitSeconds: 60)

  func send(_ request: URLRequest) async throws -> HTTPResponse {
    let parts = (request.url?.absoluteString ?? "").components(separatedBy: "/sdk/v1/")
    let name = parts.last?.components(separatedBy: "?").first ?? ""
    let service = Service(baseURL: try XCTUnwrap(URL(string: parts[0])), transport: patientTransport)
    let first = First<Result<HTTPResponse, Error>>()
    Task {
      do {
        first.resolve(.success(try await transport.send(request)))
      } catch {
        first.resolve(.failure(error))
      }
    }
    let watching = Task {
      try await until { try await self.isHung(name, service) }
      first.resolve(.failure(URLError(.timedOut)))
    }
    defer { watching.cancel() }
    guard let result = await first.value() else { throw URLError(.unknown) }
    return try result.get()
  }

  private func isHung(_ name: String, _ service: Service) async throws -> Bool {
    let hung = try await service.send("/hung", headers: [:])[name]?.int ?? 0
    return lock.withLock {
      guard hung > givenUp[name] ?? 0, !Task.isCancelled else { return false }
      givenUp[name] = hung
      return true
    }
  }
}

/// How long this process runs from now on: when a busy machine stops it, that does not count.
final class RunningTime: @unchecked Sendable {
  private let lock = Lock()
  private var ran: TimeInterval = 0
  private var isOver = false

  init() {
    Thread.detachNewThread {
      while !self.lock.withLock({ self.isOver }) {
        let before = Date()
        Thread.sleep(forTimeInterval: 0.01)
        self.lock.withLock { self.ran += min(Date().timeIntervalSince(before), 0.02) }
      }
    }
  }

  func end() -> TimeInterval {
    lock.withLock {
      isOver = true
      return ran
    }
  }
}

/// Records waits and returns at once.
final class QuickClock: Clock, @unchecked Sendable {
  private let lock = Lock()
  private var waits: [Int] = []

  var waited: [Int] { lock.withLock { waits } }

  func now() -> Date { Date() }
  func wait(milliseconds: Int) async throws { lock.withLock { waits.append(milliseconds) } }
}

/// Records log lines.
final class Log: @unchecked Sendable {
  private let lock = Lock()
  private var written: [String] = []

  var lines: [String] { lock.withLock { written } }
  func write(_ line: String) { lock.withLock { written.append(line) } }
}

struct Call {
  let name: String
  let atMilliseconds: Int
  let body: JSON
  let headers: JSON
  /// The text that the service expects a key to have signed.
  let signedText: String?
}

/// A service with planned responses: an HTTP status, or the name of a fault in
/// scripts/phones/fault-server.ts.
struct Faults {
  let url: URL

  static func planned(_ plan: [String: [JSON]] = [:]) async throws -> Faults {
    let server = Service(baseURL: try startedURL("FAULTS"), transport: patientTransport)
    let response = try await server.send("/runs", headers: [:], body: .object(plan.mapValues { .array($0) }))
    return Faults(url: try XCTUnwrap(URL(string: try XCTUnwrap(response["url"]?.string))))
  }

  /// Lets the service answer the calls that it holds.
  func release() async throws {
    _ = try await Service(baseURL: url, transport: patientTransport).send("/release", headers: [:])
  }

  func calls(_ name: String? = nil) async throws -> [Call] {
    let response = try await Service(baseURL: url, transport: patientTransport).send("/calls", headers: [:])
    guard case .array(let calls)? = response["calls"] else { return [] }
    return calls.compactMap { call in
      guard let called = call["name"]?.string, let at = call["atMs"]?.int, name == nil || called == name else {
        return nil
      }
      return Call(
        name: called, atMilliseconds: at, body: call["body"] ?? .null, headers: call["headers"] ?? .null,
        signedText: call["signedText"]?.string)
    }
  }
}

/// A sample body from contract/samples.
func sample(_ name: String) throws -> JSON { try contract("samples/\(name)") }

/// A JSON file of the contract.
func contract(_ name: String) throws -> JSON {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  let file = folder.appendingPathComponent("../../contract/\(name).json")
  return try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))
}

/// What a person and a backend do, in scripts/phones/services.ts.
func outside(_ path: String, _ values: [String: String]) async throws -> JSON {
  let query = values.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
  let server = Service(baseURL: try startedURL("FAULTS"), transport: patientTransport)
  return try await server.send("/\(path)?\(query.joined(separator: "&"))", headers: [:])
}

func otp(sentTo recipient: String) async throws -> String {
  let digits = try await outside("otp", ["to": recipient])["otp"]?.text
  return try XCTUnwrap(digits)
}

/// Opens the link of the last message and presses its button. Returns where it leads.
@discardableResult
func openLink(sentTo recipient: String) async throws -> String {
  try await outside("link", ["to": recipient])["location"]?.string ?? ""
}

/// Signs in at the identity provider. Returns the URL that it leads back to.
func signInAtProvider(_ authorizationUrl: String) async throws -> String {
  let location = try await outside("provider", ["url": authorizationUrl])["location"]?.text
  return try XCTUnwrap(location)
}

/// What a backend gets for the token of a sign-in.
func validated(_ token: String) async throws -> JSON {
  try await outside("validate", ["token": token])
}

/// The error that the work throws. Fails the test if it throws none.
func failure(
  of work: () async throws -> Any, file: StaticString = #filePath, line: UInt = #line
) async -> Error? {
  do {
    let result = try await work()
    XCTFail("it returned \(result)", file: file, line: line)
    return nil
  } catch {
    return error
  }
}
