// Where do the redirects of an operator's URL lead? The SDK follows them itself: few, in little time, over mobile data only.

import Foundation

/// Where a visit ended.
public enum VisitEnd: Sendable {
  /// A response that is no redirect.
  case response(HTTPResponse)
  /// The URL at which the visit stops. It was not opened.
  case reached(URL)
}

private let maxRequests = 12

/// Opens a URL over mobile data and follows its redirects, until one leads to `lastURL` or a
/// response is none. Throws MobileDataError.
public func visit(
  _ url: URL, until lastURL: String? = nil, over mobileData: MobileData, limitMilliseconds: Int
) async throws -> VisitEnd {
  let end: Result<VisitEnd, MobileDataError>? = await within(limitMilliseconds) {
    do {
      return .success(try await follow(url, until: lastURL, over: mobileData, limitMilliseconds: limitMilliseconds))
    } catch {
      return .failure(error as? MobileDataError ?? .failed("the URL could not be opened"))
    }
  }
  guard let end = end else { throw MobileDataError.timeout }
  return try end.get()
}

private func follow(
  _ url: URL, until lastURL: String?, over mobileData: MobileData, limitMilliseconds: Int
) async throws -> VisitEnd {
  let began = Date()
  var next = url
  for _ in 1...maxRequests {
    let left = limitMilliseconds + Int(began.timeIntervalSinceNow * 1_000)
    guard left > 0 else { throw MobileDataError.timeout }
    let response = try await mobileData.get(next, limitMilliseconds: left)
    guard [301, 302, 303, 307, 308].contains(response.status) else { return .response(response) }
    guard let target = redirectTarget(of: response.headers["location"], from: next)
    else { throw MobileDataError.failed("a redirect leads nowhere") }
    if let lastURL = lastURL, withoutQuery(target.absoluteString) == withoutQuery(lastURL) { return .reached(target) }
    next = target
  }
  throw MobileDataError.failed("there are more than \(maxRequests) redirects")
}

func redirectTarget(of location: String?, from url: URL) -> URL? {
  // URL(string:) escapes a whole URL once more when one of its characters must be escaped.
  let escaped = location?.addingPercentEncoding(withAllowedCharacters: allowedInURL)
  return escaped.flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
}

private let allowedInURL = CharacterSet(charactersIn: "!"..."~").subtracting(CharacterSet(charactersIn: "\"<>\\^`{|}"))

private func withoutQuery(_ url: String) -> Substring { url.prefix { $0 != "?" && $0 != "#" } }
