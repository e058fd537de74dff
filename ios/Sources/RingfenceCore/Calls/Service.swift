// How does the SDK call the service? JSON in both directions; every failure is a ServiceError.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The service at one base URL.
public struct Service: Sendable {
  public let baseURL: URL
  private let transport: Transport

  public init(baseURL: URL, transport: Transport) {
    self.baseURL = baseURL
    self.transport = transport
  }

  /// Sends a request to the base URL plus `path`: POST with a body, else GET. Throws ServiceError.
  public func send(_ path: String, headers: [String: String], body: JSON? = nil) async throws -> JSON {
    let base = baseURL.absoluteString
    guard let url = URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path) else {
      throw ServiceError("The base URL is not valid: \(base)")
    }
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.setValue("application/json", forHTTPHeaderField: "accept")
    if let body = body {
      request.httpMethod = "POST"
      request.httpBody = try? JSON.encoder.encode(body)
      request.setValue("application/json", forHTTPHeaderField: "content-type")
    }
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch {
      throw ServiceError("The service could not be reached")
    }
    let json = try? JSONDecoder().decode(JSON.self, from: response.body)
    guard (200..<300).contains(response.status) else { throw refusal(response, json) }
    guard let json = json, case .object = json else {
      throw ServiceError("The response is not a JSON object", requestId: response.headers["x-request-id"])
    }
    return json
  }

  /// Error bodies have `errorMessage`, or `message` with `errorCode` and `description`.
  private func refusal(_ response: HTTPResponse, _ json: JSON?) -> ServiceError {
    ServiceError(
      json?["errorMessage"]?.text ?? json?["description"]?.text ?? json?["message"]?.text
        ?? "HTTP status \(response.status)",
      requestId: json?["requestId"]?.text ?? response.headers["x-request-id"],
      status: response.status,
      errorCode: json?["errorCode"]?.text,
      retryAfterSeconds: response.headers["retry-after"].flatMap { Int($0) }
    )
  }
}

extension JSON {
  /// Sorts keys, so that equal values have equal text: the service recognises a repeated body by
  /// it.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return encoder
  }
}
