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
      AppAttest(
        service: $0, storage: surroundings.storage, clock: surroundings.clock, caller: sessions.caller,
        limitMilliseconds: surroundings.appAttestLimitMilliseconds)
    }
  }

  /// Throws ServiceError. Calls run one after the other, because each needs the challenge that the
  /// previous one returned.
  func fetch(params: [String: JSON], updateInfo: UpdateInfo?) async throws -> Intelligence {
    // At the call: a session may have to be opened first, and other calls may be in front.
    let collected = await collectFacts(
      surroundings.probes, collect: await sessions.collect, limitMilliseconds: surroundings.probeLimitMilliseconds)
    return try await serial.run {
      try await sessions.run { session in
        var call = try await sendFacts(collected, updateInfo, session) { try await withRetries(surroundings.clock, $0) }
        if call.isToRepeat { call = try await repeated(collected, updateInfo, session) ?? call }
        return try await push(params, call, session)
      }
    }
  }

  /// `analysis` is sealed, and the push brings it back. `isToRepeat`: the phone would prove itself
  /// better in another call.
  private struct EngineCall: Sendable {
    let requestId: String
    let analysis: JSON?
    let isToRepeat: Bool
  }

  private typealias Attempt = @Sendable () async throws -> JSON

  /// nil when the service refuses it, or cannot be reached: it costs no report. Once, because there
  /// is a report already.
  private func repeated(
    _ collected: Collected, _ updateInfo: UpdateInfo?, _ session: Session
  ) async throws -> EngineCall? {
    do {
      return try await sendFacts(collected, updateInfo, session) { try await $0() }
    } catch let error as ServiceError where !error.isOfSession {
      surroundings.log("the key is not attested yet: \(error.message)")
      return nil
    }
  }

  /// The engine call: sends the facts with session and challenge.
  private func sendFacts(
    _ collected: Collected, _ updateInfo: UpdateInfo?, _ session: Session,
    _ attempted: (@escaping Attempt) async throws -> JSON
  ) async throws -> EngineCall {
    let requestId = UUID().uuidString.lowercased()
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
    let response = try await naming(requestId) {
      try await attempted {
        let response = try await sessions.service.send("/sdk/v1/intelligence", headers: session.headers, body: body)
        guard response["nextChallenge"]?.text != nil else { throw ServiceError("The response has no nextChallenge") }
        return response
      }
    }
    await sessions.store(challenge: response["nextChallenge"]?.text ?? "", of: session)
    let asksForKey = response["attest"] == true
    let isToRepeat = attested.flatMap { appAttest?.accepted($0, asksForKey: asksForKey) } ?? false
    return EngineCall(requestId: requestId, analysis: response["analysis"], isToRepeat: isToRepeat)
  }

  /// The id of the call in an error of the service that has none.
  private func naming<Value>(_ requestId: String, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch var error as ServiceError {
      error.requestId = error.requestId ?? requestId
      throw error
    }
  }

  private func push(_ params: [String: JSON], _ call: EngineCall, _ session: Session) async throws -> Intelligence {
    let requestId = call.requestId
    // These keys are reserved: params with these names are dropped (specification 4.7, rule 1).
    let reserved: [String: JSON] = [
      "data": .withoutNil(["requestId": .string(requestId), "analysis": call.analysis]),
      "status": "SUCCESS",
      "requestId": .string(requestId),
      "message": "",
      "tsId": .string(session.id),
      "inId": .string(inId),
      "platform": "IOS",
      "appId": .string(sessions.caller.appId),
    ]
    let body = JSON.object(params.merging(reserved) { $1 })
    return try await naming(requestId) {
      try await withRetries(surroundings.clock) {
        let response = try await sessions.service.send(
          "/sdk/v1/device-fingerprint", headers: session.headers, body: body)
        guard let dfrId = response["dfrId"]?.text else {
          throw ServiceError(response["errorMessage"]?.text ?? response["message"]?.text ?? "The response has no dfrId")
        }
        return Intelligence(dfrId: dfrId, requestId: requestId, report: response["intelligenceResponse"])
      }
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
