// How does the service identify this device? Engine call, then push. (specification 4.7)
package ringfence.core

import java.util.UUID
import ringfence.core.calls.ServiceException
import ringfence.core.calls.Session
import ringfence.core.calls.Sessions
import ringfence.core.calls.members
import ringfence.core.calls.text
import ringfence.core.calls.withCause
import ringfence.core.calls.withRetries
import ringfence.core.facts.Collected
import ringfence.core.facts.FactReader
import ringfence.core.json.JsonObject
import ringfence.core.proof.InstallationProof

/**
 * The result of one analysis of the device.
 *
 * @property dfrId your backend fetches the report with it
 * @property requestId for support requests
 * @property report the report, if the app's settings reveal it to the SDK
 */
public class Intelligence(
  public val dfrId: String,
  public val requestId: String,
  public val report: Map<String, Any?>?,
)

/** What a fetch sends besides the facts. Copies: the app may change its own. */
internal class FetchInput(val params: JsonObject?, val updateInfo: UpdateInfo?)

/**
 * Analyses this device in the sessions of one app. One fetch at a time: each needs the challenge of
 * the one before.
 */
internal class Intelligences(val sessions: Sessions, private val environment: Environment) {
  private val reader = FactReader(environment.facts)
  private val storage = ForgivingStorage(environment.storage, environment.log)
  private val proof =
    environment.key?.let {
      InstallationProof(
        it,
        storage,
        sessions.caller,
        environment.clock,
        environment.log,
        environment.proofLimitMillis,
      )
    }

  /** The facts of this moment. Calls no service. */
  fun read(): Collected = reader.read(sessions.collect)

  /** Throws ServiceException. */
  fun fetch(collected: Collected, input: FetchInput): Intelligence =
    sessions.run { session ->
      // Of now: before the phone is unlocked, a process cannot read that of the ones before it.
      val visit = Visit(collected, input, installationId(storage, environment.clock), session)
      val call = engineCall(visit) { withRetries(environment.clock, it) }
      push(visit, if (call.isToRepeat) repeated(visit) ?: call else call)
    }

  private class Visit(
    val collected: Collected,
    val input: FetchInput,
    val inId: String,
    val session: Session,
  )

  /**
   * `analysis` is sealed, and the push brings it back. `isToRepeat`: another call would attest the
   * key.
   */
  private class EngineCall(val requestId: String, val analysis: String?, val isToRepeat: Boolean)

  /**
   * Null when the service refuses it, or cannot be reached: it costs no report, and the next fetch
   * attests the key. Once, because there is a report already.
   */
  private fun repeated(visit: Visit): EngineCall? =
    try {
      engineCall(visit) { it() }
    } catch (error: ServiceException) {
      if (error.isOfSession) throw error
      environment.log("the key is not attested yet: ${withCause(error)}")
      null
    }

  private fun engineCall(
    visit: Visit,
    attempted: (attempt: () -> JsonObject) -> JsonObject,
  ): EngineCall {
    val requestId = UUID.randomUUID().toString()
    val session = visit.session
    val plain =
      mapOf(
          "requestId" to requestId,
          "challenge" to sessions.challengeOf(session),
          "platform" to "ANDROID",
          "sdkVersion" to SDK_VERSION,
          "tsId" to session.id,
          "inId" to visit.inId,
          "facts" to visit.collected.facts.filterKeys { session.collect[it] != false },
          "factsMissing" to
            visit.collected.missing.mapValues { it.value.wireName }.takeIf { it.isNotEmpty() },
          "updateInfo" to visit.input.updateInfo?.toJson(),
          "carry" to true,
        )
        .filterValues { it != null }
    val call = proof?.prove(plain) ?: plain
    val answer =
      naming(requestId) {
        attempted {
          val response = sessions.service.send("/sdk/v1/intelligence", session.headers, call)
          response.text("nextChallenge")
            ?: throw ServiceException("The response has no nextChallenge")
          response
        }
      }
    sessions.store(answer.text("nextChallenge").orEmpty(), session)
    val isToRepeat = proof?.accepted(call, asks = answer["attest"] == true) ?: false
    return EngineCall(requestId, answer.text("analysis"), isToRepeat)
  }

  /** The id of the call in an error of the service that has none. */
  private fun <Value> naming(requestId: String, work: () -> Value): Value =
    try {
      work()
    } catch (error: ServiceException) {
      throw error.withRequestId(requestId)
    }

  private fun push(visit: Visit, call: EngineCall): Intelligence {
    val requestId = call.requestId
    val session = visit.session
    // These names are reserved: params with them are dropped. (specification 4.7, rule 1)
    val reserved =
      mapOf(
        "data" to
          mapOf("requestId" to requestId, "analysis" to call.analysis).filterValues { it != null },
        "status" to "SUCCESS",
        "requestId" to requestId,
        "message" to "",
        "tsId" to session.id,
        "inId" to visit.inId,
        "platform" to "ANDROID",
        "appId" to sessions.caller.appId,
      )
    val body = visit.input.params.orEmpty() + reserved
    return naming(requestId) {
      withRetries(environment.clock) {
        val response = sessions.service.send("/sdk/v1/device-fingerprint", session.headers, body)
        val dfrId =
          response.text("dfrId")
            ?: throw ServiceException(
              response.text("errorMessage")
                ?: response.text("message")
                ?: "The response has no dfrId"
            )
        Intelligence(dfrId, requestId, response.members("intelligenceResponse"))
      }
    }
  }
}
