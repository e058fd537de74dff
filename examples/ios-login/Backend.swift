// How does your backend find out who signed in? It verifies the token, because anyone can forge what an app sends.

import Foundation
import HeadlessAuthentication

/// The backend of examples/node-login, or your own, at `LoginBackendURL` of Info.plist.
struct Backend {
  private struct Login: Encodable {
    let token: String
    let dfrId: String?
  }

  struct Verified: Decodable {
    let userId: String
  }

  /// The backend verifies the token with Ringfence and starts its session. Throws the errors of Foundation.
  func logIn(_ user: SignedInUser) async throws -> Verified {
    guard let text = Bundle.main.object(forInfoDictionaryKey: "LoginBackendURL") as? String,
      let url = URL(string: text)
    else { throw URLError(.badURL) }
    var request = URLRequest(url: url.appendingPathComponent("login"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "content-type")
    request.httpBody = try JSONEncoder().encode(Login(token: user.token, dfrId: user.dfrId))
    return try JSONDecoder().decode(Verified.self, from: await answer(to: request))
  }

  /// URLSession's `data(for:)` needs iOS 15; this works from iOS 13.
  private func answer(to request: URLRequest) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      URLSession.shared.dataTask(with: request) { data, response, error in
        if let data = data, (response as? HTTPURLResponse)?.statusCode == 200 {
          continuation.resume(returning: data)
        } else {
          continuation.resume(throwing: error ?? URLError(.badServerResponse))
        }
      }.resume()
    }
  }
}
