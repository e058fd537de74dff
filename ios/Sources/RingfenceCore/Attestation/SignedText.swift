// What does a key sign? Session, challenge, request and body, so the proof is valid for one call only.

import Foundation

/// The text that every platform signs. `proof` and `attestation` are not part of the body that it
/// covers.
func signedText(_ body: JSON) -> String {
  var signed = body
  if case .object(var members) = body {
    members["proof"] = nil
    members["attestation"] = nil
    signed = .object(members)
  }
  let names = ["tsId", "challenge", "requestId"]
  let digest = base64url(sha256(Data(signed.canonicalText.utf8)))
  return (["ringfence-proof-v1"] + names.map { body[$0]?.string ?? "" } + [digest]).joined(separator: "\n")
}

/// RFC 4648, 5, without padding.
public func base64url(_ data: Data) -> String {
  String(data.base64EncodedString().filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
}
