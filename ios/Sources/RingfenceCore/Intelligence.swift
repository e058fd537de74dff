// How does the service get to know this device? The engine call with the facts, then the push, which answers the dfrId. (specification 4.7)

import Foundation

/// A report that a backend can fetch.
public struct Intelligence: Sendable, Equatable {
  public let dfrId: String
  /// For questions to support.
  public let requestId: String
  /// The report, where the app reveals it.
  public let report: JSON?
}

/// Analyses of this device in the sessions of one app.
struct Intelligences: Sendable {
  let sessions: Sessions
  let surroundings: Surroundings
  let inId: String
  private let turns = Turns()
  private let appAttest: AppAttest?

  init(sessions: Sessions, surroundings: Surroundings) {
    self.sessions = sessions
    self.surroundings = surroundings
    inId = installationId(surroundings)
    appAttest = surroundings.appAttest.map {
      AppAttest(service: $0, memory: surroundings.memory)
    }
  }

  /// Throws ServiceError. Facts are read at once; calls go one after the other, as each needs the challenge of the one before.
  func fetch(params: [String: JSON], updateInfo: UpdateInfo?) async throws -> Intelligence {
    let collect = try await sessions.current().collect
    let facts = await collectFacts(surroundings.probes, collect: collect)
    return try await turns.run {
      try await sessions.run { session in
        let requestId = UUID().uuidString.lowercased()
        do {
          try await tell(facts, updateInfo, requestId, session)
          return try await push(params, requestId, session)
        } catch var error as ServiceError {
          error.requestId = error.requestId ?? requestId
          throw error
        }
      }
    }
  }

  /// The engine call: the facts, bound to session and challenge.
  private func tell(
    _ facts: [String: JSON], _ updateInfo: UpdateInfo?, _ requestId: String, _ session: Session
  ) async throws {
    let challenge = try await sessions.challenge(of: session)
    let attested =
      session.collect["appAttest"] == false
      ? nil : await appAttest?.attested(challenge: challenge, requestId: requestId)
    let body = JSON.told([
      "requestId": .string(requestId),
      "challenge": .string(challenge),
      "platform": "IOS",
      "sdkVersion": .string(sdkVersion),
      "tsId": .string(session.id),
      "inId": .string(inId),
      "facts": .object(facts.merging(attested.map { ["appAttest": $0.fact] } ?? [:]) { $1 }),
      "updateInfo": updateInfo?.json,
      "attestation": attested?.attestation,
    ])
    let next: String = try await withRetries(surroundings.clock) {
      let told = try await sessions.service.ask("/sdk/v1/intelligence", headers: session.headers, body: body)
      guard let next = told["nextChallenge"]?.text else { throw ServiceError("The answer has no nextChallenge") }
      return next
    }
    await sessions.keep(challenge: next, of: session)
    if let attested = attested { appAttest?.accepted(attested) }
  }

  private func push(_ params: [String: JSON], _ requestId: String, _ session: Session) async throws -> Intelligence {
    // These keys are reserved: params of the same names are dropped (specification 4.7, rule 1).
    let reserved: [String: JSON] = [
      "data": .object(["requestId": .string(requestId)]),
      "status": "SUCCESS",
      "requestId": .string(requestId),
      "message": "",
      "tsId": .string(session.id),
      "inId": .string(inId),
      "platform": "IOS",
      "appId": .string(sessions.caller.appId),
    ]
    let body = JSON.object(params.merging(reserved) { $1 })
    return try await withRetries(surroundings.clock) {
      let told = try await sessions.service.ask("/sdk/v1/device-fingerprint", headers: session.headers, body: body)
      guard let dfrId = told["dfrId"]?.text else {
        throw ServiceError(told["errorMessage"]?.text ?? told["message"]?.text ?? "The answer has no dfrId")
      }
      return Intelligence(dfrId: dfrId, requestId: requestId, report: told["intelligenceResponse"])
    }
  }
}

/// One after the other, in the order in which they came; one that fails does not hold up the next.
actor Turns {
  private var last: Task<Void, Never>?

  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let before = last
    let mine = Task<Value, Error> {
      await before?.value
      return try await work()
    }
    last = Task { _ = try? await mine.value }
    return try await mine.value
  }
}
