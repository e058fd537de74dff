// What does the service answer to a phone that its operator redirected? A code for `verify`, or why
// there is none.
package ringfence.signin

import ringfence.core.Environment
import ringfence.core.calls.HttpResponse
import ringfence.core.calls.text
import ringfence.core.json.JsonException
import ringfence.core.json.JsonObject
import ringfence.core.json.readJson
import ringfence.core.mobiledata.MobileDataException
import ringfence.core.mobiledata.VisitEnd
import ringfence.core.mobiledata.visit

/** Opens the operator's URL over mobile data. Throws SignInError.NotVerified. */
internal fun silentCode(url: String, environment: Environment, limitMillis: Long): String {
  val answer = visitLogged(url, null, environment, limitMillis).response?.let(::membersOf)
  if (answer == null) {
    environment.log("Number Verification: the operator did not lead back to the service")
    throw SignInError.NotVerified("provider_failed")
  }
  // The service checks the code, so that of anybody else is worth nothing.
  return answer.text("ringfence_code")
    ?: throw SignInError.NotVerified(answer.text("ringfence_error") ?: "provider_failed")
}

/** Logs why the URL could not be opened. Throws SignInError.NotVerified. */
internal fun visitLogged(
  url: String,
  lastUrl: String?,
  environment: Environment,
  limitMillis: Long,
): VisitEnd =
  try {
    visit(url, lastUrl, environment.mobileData, limitMillis)
  } catch (error: Throwable) {
    // Other errors may name the URL, which contains the phone number.
    val known =
      error as? MobileDataException
        ?: MobileDataException("provider_failed", error.javaClass.simpleName)
    environment.log("Number Verification failed: ${known.message}")
    throw SignInError.NotVerified(known.reason)
  }

/** Why the network did not verify the phone, as in `SignInTransaction.silentError`. */
internal fun reasonOf(error: Throwable): String =
  when (val known = SignInError.of(error)) {
    is SignInError.NotVerified -> known.reason
    is SignInError.Refused -> known.errorCode ?: "refused"
    else -> "unreachable"
  }

@Suppress("UNCHECKED_CAST")
private fun membersOf(response: HttpResponse): JsonObject? =
  try {
    readJson(response.text) as? JsonObject
  } catch (_: JsonException) {
    null
  }
