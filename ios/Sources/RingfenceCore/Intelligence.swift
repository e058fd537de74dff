// How does the service identify this device? Engine call, then push. (specification 4.7)

import Foundation

/// A report that your backend can fetch.
public struct Intelligence: Sendable, Equatable {
  public let dfrId: String
  /// Include it in support requests.
  public let requestId: String
  /// The report, if the app's settings reveal it to the SDK.
  public let report: JSON?
}

/// Analyses this device in the sessions of one app.
struct Intelligences: Sendable {
  let sessions: Sessions
  let surroundings: Surroundings
  let inId: String
  private let serial = SerialTasks()
  private let appAttest: AppAttest?

  init(sessions: Sessions, surroundings: Surroundings) {
    self.sessions = sessions
    self.surroundings = surroundings
    inId = installationId(surroundings)
    appAttest = surroundings.appAttest.map {
      AppAttest(service: $0, storage: surroundings.storage, clock: surroundings.clock, caller: sessions.caller)
    }
  }

  /// Throws ServiceError. Calls run one after the other, because each needs the challenge that the
  /// previous one returned.
  func fetch(params: [String: JSON], updateInfo: UpdateInfo?) async throws -> Intelligence {
    // At the call: a session may have to be opened first, and other calls may be in front.
    let collected = await collectFacts(surroundings.probes, collect: await sessions.collect)
    return try await serial.run {
      try await sessions.run { session in
        var requestId = newRequestId()
        do {
          var call = try await sendFacts(collected, updateInfo, requestId, session)
          if call.isToRepeat {
            requestId = newRequestId()
            call = try await sendFacts(collected, updateInfo, requestId, session)
          }
          return try await push(params, call.analysis, requestId, session)
        } catch var error as ServiceError {
          error.requestId = error.requestId ?? requestId
          throw error
        }
      }
    }
  }

  /// The engine call: sends the facts with session and challenge. Returns the sealed analysis, which
  /// the push brings back, and whether the phone would prove itself better in another call.
  private func sendFacts(
    _ collected: Collected, _ updateInfo: UpdateInfo?, _ requestId: String, _ session: Session
  ) async throws -> (analysis: JSON?, isToRepeat: Bool) {
    let wanted = collected.without(session.collect)
    let plain = JSON.withoutNil([
      "requestId": .string(requestId),
      "challenge": .string(try await sessions.challenge(of: session)),
      "platform": "IOS",
      "sdkVersion": .string(sdkVersion),
      "tsId": .string(session.id),
      "inId": .string(inId),
      "facts": .object(wanted.facts),
      "factsMissing": wanted.missing.isEmpty ? nil : .object(wanted.missing.mapValues { .string($0.rawValue) }),
      "updateInfo": updateInfo?.json,
      "carry": true,
    ])
    let attested = session.collect["appAttest"] == false ? nil : await appAttest?.attested(plain)
    let body = attested?.body ?? plain
    let response: JSON = try await withRetries(surroundings.clock) {
      let response = try await sessions.service.send("/sdk/v1/intelligence", headers: session.headers, body: body)
      guard response["nextChallenge"]?.text != nil else { throw ServiceError("The response has no nextChallenge") }
      return response
    }
    await sessions.store(challenge: response["nextChallenge"]?.text ?? "", of: session)
    let asksForKey = response["attest"] == true
    let isToRepeat = attested.flatMap { appAttest?.accepted($0, asksForKey: asksForKey) } ?? false
    return (response["analysis"], isToRepeat)
  }

  private func newRequestId() -> String { UUID().uuidString.lowercased() }

  private func push(
    _ params: [String: JSON], _ analysis: JSON?, _ requestId: String, _ session: Session
  ) async throws -> Intelligence {
    // These keys are reserved: params with these names are dropped (specification 4.7, rule 1).
    let reserved: [String: JSON] = [
      "data": .withoutNil(["requestId": .string(requestId), "analysis": analysis]),
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
      let response = try await sessions.service.send("/sdk/v1/device-fingerprint", headers: session.headers, body: body)
      guard let dfrId = response["dfrId"]?.text else {
        throw ServiceError(response["errorMessage"]?.text ?? response["message"]?.text ?? "The response has no dfrId")
      }
      return Intelligence(dfrId: dfrId, requestId: requestId, report: response["intelligenceResponse"])
    }
  }
}

/// Runs tasks one at a time, in order. A failed task does not stop the next one.
actor SerialTasks {
  private var last: Task<Void, Never>?

  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let previous = last
    let task = Task<Value, Error> {
      await previous?.value
      return try await work()
    }
    last = Task { _ = try? await task.value }
    return try await task.value
  }
}
