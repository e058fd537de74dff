// How does a request reach the service? One request, one response, with limits on time and size.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A complete response.
public struct HTTPResponse: Sendable {
  public let status: Int
  /// Names in lower case.
  public let headers: [String: String]
  public let body: Data

  public init(status: Int, headers: [String: String], body: Data) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Sends requests. Tests replace it.
public protocol Transport: Sendable {
  /// Throws if there is no complete response.
  func send(_ request: URLRequest) async throws -> HTTPResponse
}

/// Uses no cookies and no cache. Follows no redirects, so that facts go to the service only.
public final class URLSessionTransport: NSObject, Transport, @unchecked Sendable {
  private let limitSeconds: TimeInterval
  private let maxBytes: Int
  private let lock = Lock()
  private var waiting: [Int: Waiting] = [:]
  private var opened: URLSession?

  private struct Waiting {
    var body = Data()
    let completion: (Result<HTTPResponse, Error>) -> Void
  }

  public init(limitSeconds: TimeInterval = 10, maxBytes: Int = 1 << 20) {
    self.limitSeconds = limitSeconds
    self.maxBytes = maxBytes
  }

  public func send(_ request: URLRequest) async throws -> HTTPResponse {
    try await withCheckedThrowingContinuation { continuation in
      begin(request) { continuation.resume(with: $0) }
    }
  }

  private func begin(_ request: URLRequest, completion: @escaping (Result<HTTPResponse, Error>) -> Void) {
    lock.withLock {
      let task = session().dataTask(with: request)
      waiting[task.taskIdentifier] = Waiting(completion: completion)
      task.resume()
    }
  }

  private func session() -> URLSession {
    if let opened = opened { return opened }
    let settings = URLSessionConfiguration.ephemeral
    settings.timeoutIntervalForRequest = limitSeconds
    settings.timeoutIntervalForResource = limitSeconds
    settings.httpShouldSetCookies = false
    settings.httpCookieAcceptPolicy = .never
    settings.requestCachePolicy = .reloadIgnoringLocalCacheData
    settings.urlCache = nil
    let session = URLSession(configuration: settings, delegate: self, delegateQueue: nil)
    opened = session
    return session
  }
}

extension URLSessionTransport: URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge: Bool = lock.withLock {
      waiting[dataTask.taskIdentifier]?.body.append(data)
      return (waiting[dataTask.taskIdentifier]?.body.count ?? 0) > maxBytes
    }
    if isTooLarge { dataTask.cancel() }
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
    guard let waited = lock.withLock({ waiting.removeValue(forKey: task.taskIdentifier) }) else { return }
    if let error = error {
      waited.completion(.failure(error))
    } else if let response = task.response as? HTTPURLResponse, waited.body.count <= maxBytes {
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        headers[String(describing: name).lowercased()] = String(describing: value)
      }
      waited.completion(.success(HTTPResponse(status: response.statusCode, headers: headers, body: waited.body)))
    } else {
      waited.completion(.failure(URLError(.badServerResponse)))
    }
  }
}
