// How is the service asked? JSON out, JSON in, every failure a ServiceError.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The service at one address.
public struct Service: Sendable {
  public let baseURL: URL
  private let transport: Transport

  public init(baseURL: URL, transport: Transport) {
    self.baseURL = baseURL
    self.transport = transport
  }

  /// Path and query stand behind the base URL as they are; a body makes a POST. Throws ServiceError.
  public func ask(_ path: String, headers: [String: String], body: JSON? = nil) async throws -> JSON {
    let base = baseURL.absoluteString
    guard let url = URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path) else {
      throw ServiceError("The base URL is none: \(base)")
    }
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.setValue("application/json", forHTTPHeaderField: "accept")
    if let body = body {
      request.httpMethod = "POST"
      request.httpBody = try? JSON.encoder.encode(body)
      request.setValue("application/json", forHTTPHeaderField: "content-type")
    }
    let answer: HTTPAnswer
    do {
      answer = try await transport.send(request)
    } catch {
      throw ServiceError("The service could not be reached")
    }
    let told = try? JSONDecoder().decode(JSON.self, from: answer.body)
    guard (200..<300).contains(answer.status) else { throw refusal(answer, told) }
    guard let told = told, case .object = told else {
      throw ServiceError("The answer is no JSON object", requestId: answer.headers["x-request-id"])
    }
    return told
  }

  /// The service words a refusal as `errorMessage`, or as `message` with `errorCode` and `description`.
  private func refusal(_ answer: HTTPAnswer, _ told: JSON?) -> ServiceError {
    ServiceError(
      told?["errorMessage"]?.text ?? told?["description"]?.text ?? told?["message"]?.text
        ?? "HTTP status \(answer.status)",
      requestId: told?["requestId"]?.text ?? answer.headers["x-request-id"],
      status: answer.status,
      errorCode: told?["errorCode"]?.text,
      retryAfterSeconds: answer.headers["retry-after"].flatMap { Int($0) }
    )
  }
}

extension JSON {
  /// The same value is always the same text: the service knows a repeated body by it.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return encoder
  }
}
