import XCTest

@testable import RingfenceCore

/// The test vectors that the service is tested with too.
final class SignedTextTests: XCTestCase {
  private func vectors(_ name: String) throws -> [JSON] {
    guard case .array(let vectors)? = try contract("testdata/signed-text")[name] else { return [] }
    XCTAssertGreaterThan(vectors.count, 2)
    return vectors
  }

  func test_RFC_8785_the_canonical_text_is_that_of_the_shared_vectors() throws {
    for vector in try vectors("canonical") {
      let value = try JSONDecoder().decode(JSON.self, from: Data(XCTUnwrap(vector["json"]?.string).utf8))
      XCTAssertEqual(value.canonicalText, vector["canonical"]?.string, vector["what"]?.string ?? "")
    }
  }

  func test_the_signed_text_is_that_of_the_shared_vectors() throws {
    for vector in try vectors("signed") {
      XCTAssertEqual(signedText(try XCTUnwrap(vector["body"])), vector["text"]?.string, vector["what"]?.string ?? "")
    }
  }

  func test_the_text_that_is_sent_has_the_same_canonical_form_as_the_value() throws {
    let value: JSON = .object([
      "big": .int(.max), "huge": .uint(.max), "tiny": .double(.leastNonzeroMagnitude),
      "negative": .double(-0.0), "whole": .double(3),
      "largest": .double(.greatestFiniteMagnitude), "text": "\u{0}\u{1F}\u{2028}🙂é\"\\/",
      "é": 1, "": .array([.null]),
    ])
    let sent = try JSONDecoder().decode(JSON.self, from: try JSON.encoder.encode(value))
    XCTAssertEqual(sent.canonicalText, value.canonicalText)
  }

  func test_SHA_256_of_the_examples_of_FIPS_180_and_of_every_length_around_a_block() {
    func hex(_ data: Data) -> String { data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    XCTAssertEqual(
      hex(sha256(Data())), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    XCTAssertEqual(
      hex(sha256(Data("abc".utf8))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    XCTAssertEqual(
      hex(sha256(Data("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    XCTAssertEqual(
      hex(sha256(Data(repeating: 0x61, count: 1_000_000))),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    // The hash over the hashes of 0 to 130 bytes, as Node computes it.
    let hashes = (0...130).map { sha256(Data(repeating: 0x62, count: $0)) }
    XCTAssertEqual(
      hex(sha256(Data(hashes.joined()))), "e48d0d51ab0e5311c5dcb9ff038d7f4156f464cc8b4856d7d8fe82d0690feb86")
  }
}
