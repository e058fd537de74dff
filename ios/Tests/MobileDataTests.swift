import XCTest

@testable import RingfenceCore

final class MobileDataTests: XCTestCase {
  private let url = URL(string: "https://operator.example/authorize?state=1")!

  private func get(_ text: String, pieceSize: Int = 1 << 16, hangs: Bool = false, limit: Int = 60_000) async throws
    -> HTTPResponse
  {
    let data = StreamedMobileData { _ in PlannedStream(text, pieceSize: pieceSize, hangs: hangs) }
    return try await data.get(url, limitMilliseconds: limit)
  }

  func test_a_request_names_neither_cookies_nor_the_app_nor_the_session() async throws {
    let sent = Log()
    let data = StreamedMobileData { _ in PlannedStream("HTTP/1.1 204 No Content\r\n\r\n", sent: sent) }
    for (text, lines) in [
      ("https://operator.example", ["GET / HTTP/1.1", "Host: operator.example"]),
      ("https://operator.example:8443/a%20b?c=d#e", ["GET /a%20b?c=d HTTP/1.1", "Host: operator.example:8443"]),
      ("https://[2001:db8::1]/?a", ["GET /?a HTTP/1.1", "Host: [2001:db8::1]"]),
    ] {
      let response = try await data.get(try XCTUnwrap(URL(string: text)), limitMilliseconds: 20_000)
      XCTAssertEqual(response.status, 204)
      let rest = ["Accept: */*", "Accept-Encoding: identity", "User-Agent: Ringfence", "Connection: close", "", ""]
      XCTAssertEqual(sent.lines.last?.components(separatedBy: "\r\n"), lines + rest)
    }
  }

  func test_only_https_is_opened_and_http_only_on_this_machine_in_tests() async throws {
    let opened = Log()
    let connect: @Sendable (WebAddress) -> ByteStream = {
      opened.write($0.host)
      return PlannedStream("HTTP/1.1 200 OK\r\n\r\n")
    }
    for text in [
      "http://operator.example/", "http://127.0.0.1/", "http://localhost/", "ftp://operator.example/",
      "file:///etc/passwd", "javascript:alert(1)", "https://", "https://user:secret@operator.example/",
      "https://operator.example:0/", "com.example.shop://signed-in", "/relative",
      "https://operator.example/" + String(repeating: "a", count: 9_000),
    ] {
      let url = try XCTUnwrap(URL(string: text), text)
      let error = await failure { try await StreamedMobileData(connect).get(url, limitMilliseconds: 20_000) }
      guard case .failed? = error as? MobileDataError else { return XCTFail("\(text): \(String(describing: error))") }
    }
    let tests = StreamedMobileData(allowsLoopback: true, connect)
    let remote = await failure {
      try await tests.get(URL(string: "http://operator.example/")!, limitMilliseconds: 20_000)
    }
    XCTAssertNotNil(remote)
    XCTAssertEqual(opened.lines, [])
    _ = try await tests.get(URL(string: "http://127.0.0.1:1/")!, limitMilliseconds: 20_000)
    XCTAssertEqual(opened.lines, ["127.0.0.1"])
  }

  func test_RFC_3986_a_redirect_leads_where_the_shared_vectors_say() throws {
    guard case .array(let vectors)? = try contract("testdata/redirects")["redirects"] else { return XCTFail() }
    XCTAssertGreaterThan(vectors.count, 10)
    for vector in vectors {
      let from = try XCTUnwrap(vector["from"]?.string.flatMap(URL.init))
      let location = try XCTUnwrap(vector["location"]?.string)
      XCTAssertEqual(redirectTarget(of: location, from: from)?.absoluteString, vector["to"]?.string, location)
    }
  }

  func test_a_response_is_read_the_same_in_pieces_of_any_size() async throws {
    let responses = [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nx-a:2\r\n\r\nhello and more",
      "HTTP/1.0 200 OK\nx-a: 1, 2\n\nhello",
      "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nx-a: 1, 2\r\n\r\nhello",
      "HTTP/1.1 200\r\nTransfer-Encoding: Chunked\r\nx-a: 1, 2\r\n\r\n3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\nTrailer: x\r\n\r\n",
    ]
    for text in responses {
      for pieceSize in [1, 2, 3, 7, 1_000] {
        let response = try await get(text, pieceSize: pieceSize)
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(String(decoding: response.body, as: UTF8.self), "hello", "\(pieceSize): \(text)")
        XCTAssertEqual(response.headers["x-a"], "1, 2")
      }
    }
    let redirect = try await get("HTTP/1.1 302 Found\r\nLocation:  /next \t\r\ncontent-length: 99999999\r\n\r\n")
    XCTAssertEqual(redirect.headers["location"], "/next", "the body of a redirect is not read")
  }

  func test_a_response_that_is_broken_or_too_large_is_an_error() async throws {
    let ok = "HTTP/1.1 200 OK\r\n"
    let large = String(repeating: "a", count: 300 << 10)
    for text in [
      "", "HTTP/1.1", "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
      "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", ok, ok + "no colon\r\n\r\n",
      ok + ": no name\r\n\r\n", ok + "content-length: -1\r\n\r\n", ok + "content-length: +5\r\n\r\nhello",
      ok + "content-length: 99999999999999999999999\r\n\r\n",
      ok + "content-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
      ok + "content-length: 6\r\n\r\nhello", ok + "content-length: 300000\r\n\r\n\(large)", ok + "\r\n\(large)",
      ok + "a: \(large.prefix(17 << 10))\r\n\r\n", ok + String(repeating: "a: b\r\n", count: 60_000) + "\r\n",
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 20_000), "HTTP/1.1 101 Switching Protocols\r\n\r\n",
      ok + "location: /a\r\nlocation: /b\r\n\r\n", ok + "transfer-encoding: gzip\r\n\r\n",
      ok + "transfer-encoding: chunked\r\n\r\nzz\r\n", ok + "transfer-encoding: chunked\r\n\r\n-1\r\n\r\n",
      ok + "transfer-encoding: chunked\r\n\r\nffffffffff\r\n", ok + "transfer-encoding: chunked\r\n\r\n7fffffff\r\n",
      ok + "transfer-encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
      ok + "transfer-encoding: chunked\r\n\r\n5\r\nhel",
    ] {
      let error = await failure { try await self.get(text) }
      guard case .failed? = error as? MobileDataError else {
        return XCTFail("\(text.prefix(80)): \(String(describing: error))")
      }
    }
  }

  func test_a_server_that_sends_nothing_more_is_a_timeout() async throws {
    for text in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello"] {
      let error = await failure { try await self.get(text, hangs: true, limit: 50) } as? MobileDataError
      XCTAssertEqual(error, .timeout)
    }
  }

  func test_redirects_are_followed_to_a_response_or_to_the_URL_that_is_not_opened() async throws {
    let data = PlannedMobileData {
      switch $0 {
      case "https://operator.example/authorize?state=1": return redirect(to: "/sim?x=1")
      case "https://operator.example/sim?x=1": return redirect(to: "https://shop.example/back?code=c&state=1")
      default: return page("here")
      }
    }
    guard case .response(let response) = try await visit(url, over: data, limitMilliseconds: 20_000) else {
      return XCTFail("no response")
    }
    XCTAssertEqual(response.body, Data("here".utf8))
    XCTAssertEqual(data.requests.lines.count, 3)
    let end = try await visit(url, until: "https://shop.example/back", over: data, limitMilliseconds: 20_000)
    guard case .reached(let back) = end else { return XCTFail("\(end)") }
    XCTAssertEqual(back.absoluteString, "https://shop.example/back?code=c&state=1")
    XCTAssertEqual(data.requests.lines.count, 5, "the last URL is not opened")
    guard case .response = try await visit(url, until: "https://shop.example/ba", over: data, limitMilliseconds: 20_000)
    else { return XCTFail("a URL that only begins like it is another") }
  }

  func test_a_visit_ends_whatever_the_redirects_do() async throws {
    let plans: [(MobileDataError, PlannedMobileData)] = [
      (.failed("there are more than 12 redirects"), PlannedMobileData { redirect(to: $0 + "1") }),
      (
        .failed("a redirect leads nowhere"),
        PlannedMobileData { _ in HTTPResponse(status: 302, headers: [:], body: Data()) }
      ),
      (.unavailable, PlannedMobileData { _ in throw MobileDataError.unavailable }),
      (.failed("the URL could not be opened"), PlannedMobileData { _ in throw CancellationError() }),
    ]
    for (expected, data) in plans {
      let error = await failure { try await visit(self.url, over: data, limitMilliseconds: 20_000) } as? MobileDataError
      XCTAssertEqual(error, expected)
      XCTAssertLessThanOrEqual(data.requests.lines.count, 12)
    }
    let hanging = StreamedMobileData { _ in PlannedStream("", hangs: true) }
    let late = await failure { try await visit(self.url, over: hanging, limitMilliseconds: 50) } as? MobileDataError
    XCTAssertEqual(late, .timeout)
  }

  func test_a_redirect_away_from_https_is_not_followed() async throws {
    let opened = Log()
    let data = StreamedMobileData {
      opened.write($0.host)
      return PlannedStream("HTTP/1.1 302 Found\r\nlocation: http://operator.example/\r\n\r\n")
    }
    let error = await failure { try await visit(self.url, over: data, limitMilliseconds: 20_000) } as? MobileDataError
    XCTAssertEqual(error, .failed("the URL is not https"))
    XCTAssertEqual(opened.lines, ["operator.example"], "one connection, to the first URL")
  }

  func test_a_machine_without_mobile_data_says_so() async throws {
    let error = await failure { try await DeviceMobileData().get(self.url, limitMilliseconds: 20_000) }
    XCTAssertEqual(error as? MobileDataError, .unavailable)
  }
}
