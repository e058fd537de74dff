// How does one HTTP request go over a connection that the SDK opened itself? iOS cannot bind a URLSession to mobile data.

import Foundation

/// Bytes to and from one server.
protocol ByteStream: Sendable {
  /// Throws if the server cannot be reached.
  func open() async throws
  func send(_ bytes: Data) async throws
  /// nil after the last byte.
  func receive() async throws -> Data?
  /// Ends calls in progress. May be called at any time, and more than once.
  func close()
}

/// HTTP/1.1 with a connection for each request. Opens https only.
struct StreamedMobileData: MobileData {
  /// True in tests: http is allowed to this machine.
  let allowsLoopback: Bool
  private let connect: @Sendable (WebAddress) throws -> ByteStream

  init(allowsLoopback: Bool = false, _ connect: @escaping @Sendable (WebAddress) throws -> ByteStream) {
    self.allowsLoopback = allowsLoopback
    self.connect = connect
  }

  func get(_ url: URL, limitMilliseconds: Int) async throws -> HTTPResponse {
    guard let address = WebAddress(url) else { throw MobileDataError.failed("the URL is not valid") }
    guard address.isSecure || (allowsLoopback && address.isLoopback) else {
      throw MobileDataError.failed("the URL is not https")
    }
    let stream = try connect(address)
    let isLate = Late()
    let alarm = Task {
      try await Task.sleep(nanoseconds: UInt64(max(0, limitMilliseconds)) * 1_000_000)
      isLate.set()
      stream.close()
    }
    defer {
      alarm.cancel()
      stream.close()
    }
    do {
      try await stream.open()
      try await stream.send(address.request)
      var reader = ResponseReader(stream)
      return try await reader.response()
    } catch {
      if isLate.isSet { throw MobileDataError.timeout }
      throw error as? MobileDataError ?? .failed("the connection to \(address.host) failed")
    }
  }
}

/// Whether the time limit closed the connection.
private final class Late: @unchecked Sendable {
  private let lock = Lock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
