// How does a backend verify the number of a phone? Its app opens the operator's URL, and hands back
// what the operator said.
package ringfence.signin

import java.net.URI
import java.net.URLDecoder
import ringfence.core.Environment

/**
 * What the operator returned. Your backend completes the verification with it (`POST
 * /v1/telecom/number-verifications/{verificationId}/complete`).
 *
 * @property state belongs to one verification
 * @property code null if the operator refused
 * @property error why the operator refused, for example `login_required` outside of mobile data
 * @property iss the operator, if it names itself
 */
public class NumberVerificationReturn internal constructor(url: String) {
  private val query = queryOf(url)
  public val state: String? = query["state"]
  public val code: String? = query["code"]
  public val error: String? = query["error"]
  public val iss: String? = query["iss"]
}

/**
 * Opens the URL until it leads to its redirect URI, which is not opened. Throws
 * SignInError.NotVerified.
 */
internal fun verifyNumber(
  url: String,
  environment: Environment,
  limitMillis: Long,
): NumberVerificationReturn {
  val redirectUri =
    queryOf(url)["redirect_uri"]
      ?: throw SignInError.NotVerified(
        "the URL has no redirect_uri. Pass the URL of the service unchanged"
      )
  val reached = visitLogged(url, redirectUri, environment, limitMillis).reached
  return NumberVerificationReturn(reached ?: throw SignInError.NotVerified("provider_failed"))
}

/** The first value of each name. Empty if the URL is not valid. */
private fun queryOf(url: String): Map<String, String> =
  try {
    val parts =
      URI(url).rawQuery.orEmpty().split('&').map {
        it.substringBefore('=') to it.substringAfter('=', "")
      }
    parts.asReversed().associate { (name, value) ->
      URLDecoder.decode(name, "UTF-8") to URLDecoder.decode(value, "UTF-8")
    }
  } catch (_: Exception) {
    emptyMap()
  }
