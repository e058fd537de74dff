// What did the server answer? Reads one HTTP/1.1 response (RFC 9112) within bounds, whatever arrives.

import Foundation

struct ResponseReader {
  /// For everything together: interim responses, headers, body.
  private static let maxBytes = 256 << 10
  private static let maxLine = 16 << 10

  private let stream: ByteStream
  private var buffer: [UInt8] = []
  private var position = 0
  private var received = 0

  init(_ stream: ByteStream) {
    self.stream = stream
  }

  /// The body of a redirect is not read. Throws MobileDataError, or what the stream throws.
  mutating func response() async throws -> HTTPResponse {
    while true {
      let status = try await statusCode()
      let headers = try await fields()
      if status < 200 { continue }  // interim; the bound on all bytes ends it
      let body = status == 204 || (300..<400).contains(status) ? [] : try await bodyBytes(headers)
      return HTTPResponse(status: status, headers: headers, body: Data(body))
    }
  }

  private mutating func statusCode() async throws -> Int {
    let parts = try await line().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3,
      let status = decimal(String(parts[1])), status >= 100
    else { throw unusable("a status line") }
    return status
  }

  /// Names in lower case. A repeated name has both values, except where the second could mislead.
  private mutating func fields() async throws -> [String: String] {
    var fields: [String: String] = [:]
    while true {
      let line = try await self.line()
      if line.isEmpty { return fields }
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { throw unusable("a header") }
      let name = line[..<colon].lowercased()
      let value = trimmed(line[line.index(after: colon)...])
      guard let before = fields[name] else {
        fields[name] = value
        continue
      }
      if name == "location" || name == "content-length" {
        if before != value { throw unusable("one \(name)") }
      } else {
        fields[name] = "\(before), \(value)"
      }
    }
  }

  private mutating func bodyBytes(_ headers: [String: String]) async throws -> [UInt8] {
    if let coding = headers["transfer-encoding"] {
      guard coding.lowercased() == "chunked" else { throw unusable("a known transfer-encoding") }
      return try await chunks()
    }
    if let length = headers["content-length"] {
      guard let count = decimal(length) else { throw unusable("a content-length") }
      return try await bytes(count)
    }
    while try await fill() {}
    return Array(buffer[position...])
  }

  private mutating func chunks() async throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let size = try await line().prefix { $0 != ";" && $0 != " " }
      guard !size.isEmpty, size.utf8.count <= 8, let count = Int(size, radix: 16), count >= 0 else {
        throw unusable("a chunk size")
      }
      if count == 0 { return body }  // trailers are of no use here
      body += try await bytes(count)
      guard try await line().isEmpty else { throw unusable("the end of a chunk") }
    }
  }

  /// Without its end, LF or CR LF.
  private mutating func line() async throws -> String {
    var end = position
    while true {
      while end < buffer.count {
        if buffer[end] == 0x0a {
          let isCarriage = end > position && buffer[end - 1] == 0x0d
          let text = String(decoding: buffer[position..<(isCarriage ? end - 1 : end)], as: UTF8.self)
          position = end + 1
          return text
        }
        end += 1
        if end - position > ResponseReader.maxLine { throw unusable("a line of usual length") }
      }
      guard try await fill() else { throw unusable("its end") }
    }
  }

  private mutating func bytes(_ count: Int) async throws -> [UInt8] {
    guard count <= ResponseReader.maxBytes else { throw tooLarge }
    while buffer.count - position < count {
      guard try await fill() else { throw unusable("its end") }
    }
    defer { position += count }
    return Array(buffer[position..<(position + count)])
  }

  /// False after the last byte.
  private mutating func fill() async throws -> Bool {
    guard let more = try await stream.receive() else { return false }
    received += more.count
    guard received <= ResponseReader.maxBytes else { throw tooLarge }
    buffer += more
    return true
  }

  private var tooLarge: MobileDataError { .failed("the response is too large") }
  private func unusable(_ missing: String) -> MobileDataError { .failed("the response lacks \(missing)") }
}

/// Digits only; `Int` accepts a sign.
private func decimal(_ text: String) -> Int? {
  text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
}

private func trimmed(_ text: Substring) -> String {
  let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
  let start = text.drop(while: isSpace)
  guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
  return String(start[...last])
}
