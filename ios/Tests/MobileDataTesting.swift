// Over which connection do the tests open URLs? A socket of this machine, or planned bytes; a device uses Network.framework.

import Foundation
import XCTest

@testable import RingfenceCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A connection to a server on this machine.
private final class SocketStream: ByteStream, @unchecked Sendable {
  private struct Failed: Error {}
  private let port: UInt16
  private let lock = Lock()
  private var socket: Int32 = -1

  init(port: UInt16) {
    self.port = port
  }

  func open() async throws {
    #if canImport(Glibc)
      let made = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let made = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    lock.withLock { socket = made }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failed() }
  }

  func send(_ bytes: Data) async throws {
    let used = lock.withLock { socket }
    let sent = Array(bytes).withUnsafeBytes { write(used, $0.baseAddress, $0.count) }
    guard sent == bytes.count else { throw Failed() }
  }

  func receive() async throws -> Data? {
    let used = lock.withLock { socket }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(used, &bytes, bytes.count)
        if count < 0 {
          continuation.resume(throwing: Failed())
        } else {
          continuation.resume(returning: count == 0 ? nil : Data(bytes[..<count]))
        }
      }
    }
  }

  /// Ends a read in progress. The descriptor stays open, so that its number is not another's.
  func close() { _ = shutdown(lock.withLock { socket }, Int32(SHUT_RDWR)) }

  deinit { if socket >= 0 { _ = closeDescriptor(socket) } }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// A phone whose mobile data are this machine's network. It knows the service by its public
/// address, too.
struct LoopbackMobileData: MobileData {
  let requests = Log()
  private let streamed = StreamedMobileData(allowsLoopback: true) { SocketStream(port: $0.port) }

  func get(_ url: URL, limitMilliseconds: Int) async throws -> HTTPResponse {
    let service = try started("URL")
    let actual = url.absoluteString.replacingOccurrences(of: "https://login.shop.example", with: service)
    requests.write(url.absoluteString)
    return try await streamed.get(try XCTUnwrap(URL(string: actual)), limitMilliseconds: limitMilliseconds)
  }
}

/// Answers each request with planned bytes, in pieces.
final class PlannedStream: ByteStream, @unchecked Sendable {
  struct Closed: Error {}
  private let lock = Lock()
  private var pieces: [Data]
  /// The server neither sends more nor closes.
  private let hangs: Bool
  private var isClosed = false
  private let sent: Log

  init(_ text: String, pieceSize: Int = 1 << 16, hangs: Bool = false, sent: Log = Log()) {
    let bytes = Array(text.utf8)
    pieces = stride(from: 0, to: bytes.count, by: pieceSize).map { Data(bytes[$0..<min($0 + pieceSize, bytes.count)]) }
    self.hangs = hangs
    self.sent = sent
  }

  func open() async throws {}
  func send(_ bytes: Data) async throws { sent.write(String(decoding: bytes, as: UTF8.self)) }

  func receive() async throws -> Data? {
    if let piece = lock.withLock({ pieces.isEmpty ? nil : pieces.removeFirst() }) { return piece }
    while hangs {
      if lock.withLock({ isClosed }) { throw Closed() }
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    return nil
  }

  func close() { lock.withLock { isClosed = true } }
}

/// Answers by URL, without a network.
struct PlannedMobileData: MobileData {
  let requests = Log()
  let answer: @Sendable (String) throws -> HTTPResponse

  func get(_ url: URL, limitMilliseconds: Int) async throws -> HTTPResponse {
    requests.write(url.absoluteString)
    return try answer(url.absoluteString)
  }
}

/// Is unavailable, but says so only after `release` has a line.
struct HeldMobileData: MobileData {
  let release = Log()

  func get(_ url: URL, limitMilliseconds: Int) async throws -> HTTPResponse {
    while release.lines.isEmpty { try? await Task.sleep(nanoseconds: 5_000_000) }
    throw MobileDataError.unavailable
  }
}

func redirect(to location: String) -> HTTPResponse {
  HTTPResponse(status: 302, headers: ["location": location], body: Data())
}

func page(_ text: String) -> HTTPResponse {
  HTTPResponse(status: 200, headers: [:], body: Data(text.utf8))
}
