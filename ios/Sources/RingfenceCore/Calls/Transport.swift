// How does a request reach the service? One request, one answer, within a time and a size.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A whole answer.
public struct HTTPAnswer: Sendable {
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

/// What requests go through.
public protocol Transport: Sendable {
  /// Throws when there is no whole answer.
  func send(_ request: URLRequest) async throws -> HTTPAnswer
}

/// Keeps no cookies, caches nothing, and follows no redirect: whoever answers in the service's place gets no facts.
public final class URLSessionTransport: NSObject, Transport, @unchecked Sendable {
  private let limitSeconds: TimeInterval
  private let mostBytes: Int
  private let lock = Lock()
  private var waiting: [Int: Waiting] = [:]
  private var opened: URLSession?

  private struct Waiting {
    var body = Data()
    let answer: (Result<HTTPAnswer, Error>) -> Void
  }

  public init(limitSeconds: TimeInterval = 10, mostBytes: Int = 1 << 20) {
    self.limitSeconds = limitSeconds
    self.mostBytes = mostBytes
  }

  public func send(_ request: URLRequest) async throws -> HTTPAnswer {
    try await withCheckedThrowingContinuation { continuation in
      begin(request) { continuation.resume(with: $0) }
    }
  }

  private func begin(_ request: URLRequest, answer: @escaping (Result<HTTPAnswer, Error>) -> Void) {
    lock.doing {
      let task = session().dataTask(with: request)
      waiting[task.taskIdentifier] = Waiting(answer: answer)
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
    let isTooLarge: Bool = lock.doing {
      waiting[dataTask.taskIdentifier]?.body.append(data)
      return (waiting[dataTask.taskIdentifier]?.body.count ?? 0) > mostBytes
    }
    if isTooLarge { dataTask.cancel() }
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
    guard let waited = lock.doing({ waiting.removeValue(forKey: task.taskIdentifier) }) else { return }
    if let error = error {
      waited.answer(.failure(error))
    } else if let response = task.response as? HTTPURLResponse, waited.body.count <= mostBytes {
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        headers[String(describing: name).lowercased()] = String(describing: value)
      }
      waited.answer(.success(HTTPAnswer(status: response.statusCode, headers: headers, body: waited.body)))
    } else {
      waited.answer(.failure(URLError(.badServerResponse)))
    }
  }
}
