// What do the tests stand on? The real service and a faulty one, both started by `npm run test:ios`.

import Foundation
import XCTest

@testable import RingfenceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What `npm run test:ios` started; a test fails when it is run without.
func started(_ name: String) throws -> String {
  try XCTUnwrap(ProcessInfo.processInfo.environment["RINGFENCE_\(name)"], "run the tests by npm run test:ios")
}

func startedURL(_ name: String) throws -> URL {
  try XCTUnwrap(URL(string: try started(name)))
}

/// Waits between attempts pass at once, and are written down.
final class QuickClock: Clock, @unchecked Sendable {
  private let lock = Lock()
  private var waits: [Int] = []

  var waited: [Int] { lock.doing { waits } }

  func now() -> Date { Date() }
  func wait(milliseconds: Int) async throws { lock.doing { waits.append(milliseconds) } }
}

/// What was logged.
final class Log: @unchecked Sendable {
  private let lock = Lock()
  private var written: [String] = []

  var lines: [String] { lock.doing { written } }
  func write(_ line: String) { lock.doing { written.append(line) } }
}

struct Call {
  let name: String
  let atMilliseconds: Int
  let body: JSON
  let headers: JSON
}

/// A service that answers as planned: an HTTP status, or the name of a fault of scripts/ios-fault-server.ts.
struct Faults {
  let url: URL

  static func planned(_ plan: [String: [JSON]] = [:]) async throws -> Faults {
    let server = Service(baseURL: try startedURL("FAULTS"), transport: URLSessionTransport())
    let told = try await server.ask("/runs", headers: [:], body: .object(plan.mapValues { .array($0) }))
    return Faults(url: try XCTUnwrap(URL(string: try XCTUnwrap(told["url"]?.string))))
  }

  func calls(_ name: String? = nil) async throws -> [Call] {
    let told = try await Service(baseURL: url, transport: URLSessionTransport()).ask("/calls", headers: [:])
    guard case .array(let calls)? = told["calls"] else { return [] }
    return calls.compactMap { call in
      guard let called = call["name"]?.string, let at = call["atMs"]?.int, name == nil || called == name else {
        return nil
      }
      return Call(
        name: called, atMilliseconds: at, body: call["body"] ?? .null, headers: call["headers"] ?? .null)
    }
  }
}

/// A body of contract/samples.
func sample(_ name: String) throws -> JSON {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  let file = folder.appendingPathComponent("../../contract/samples/\(name).json")
  return try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))
}

func otp(sentTo phoneNumber: String) async throws -> String {
  let server = Service(baseURL: try startedURL("FAULTS"), transport: URLSessionTransport())
  let told = try await server.ask("/otp?to=\(phoneNumber)", headers: [:])
  return try XCTUnwrap(told["otp"]?.text)
}

/// The error that the work throws; fails the test when it throws none.
func failure(
  of work: () async throws -> Any, file: StaticString = #filePath, line: UInt = #line
) async -> Error? {
  do {
    let answer = try await work()
    XCTFail("it answered \(answer)", file: file, line: line)
    return nil
  } catch {
    return error
  }
}
