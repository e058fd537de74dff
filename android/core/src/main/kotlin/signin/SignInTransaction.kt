// What does the service return to an app that signs a person in? (contract/src/sign-in.ts)
package ringfence.signin

import ringfence.core.calls.int
import ringfence.core.calls.members
import ringfence.core.calls.text
import ringfence.core.json.JsonObject

/**
 * A sign-in in progress.
 *
 * @property transactionId identifies the sign-in in `resend`, `verify` and `status`
 * @property channel in use. It differs from the requested one if the telecom gate required another
 * @property method SMS, EMAIL, or the name of the identity provider
 * @property expiresAt ISO 8601 UTC
 * @property resendAfterSeconds the service refuses a resend earlier than this
 * @property otpLength OTP: number of digits in the message
 * @property authorizationUrl OAUTH: the URL to send the person to. SILENT: the URL that the device
 *   opens over mobile data
 * @property fallback SILENT: the channel that follows if the network does not verify the phone.
 *   Null: none
 * @property user SILENT: the person has signed in. Null: a message was sent in its place, if
 *   `channel` is OTP
 * @property silentError SILENT, with an OTP in its place: why the network did not verify the phone,
 *   for example `not_on_mobile_network`
 */
public class SignInTransaction
private constructor(
  response: JsonObject,
  public val user: SignedInUser?,
  public val silentError: String?,
) {
  private val members = response
  public val transactionId: String =
    response.text("transactionId") ?: throw SignInError.incomplete("transactionId")
  public val channel: String = response.text("channel").orEmpty()
  public val method: String = response.text("method").orEmpty()
  public val expiresAt: String = response.text("expiresAt").orEmpty()
  public val resendAfterSeconds: Int? = response.int("resendAfterSeconds")
  public val otpLength: Int? = response.int("otpLength")
  public val authorizationUrl: String? = response.text("authorizationUrl")
  public val fallback: String? = response.text("fallback")

  internal constructor(response: JsonObject) : this(response, null, null)

  internal fun with(user: SignedInUser): SignInTransaction = SignInTransaction(members, user, null)

  internal fun with(silentError: String): SignInTransaction =
    SignInTransaction(members, null, silentError)
}

/**
 * A person who has signed in.
 *
 * @property token for your backend, which exchanges it at /auth/v1/validate/token
 * @property userId the user's id in this service
 * @property timestamp ISO 8601 UTC
 * @property idToken id_token of OIDC
 * @property dfrId the fingerprint that belongs to this sign-in. Your backend fetches its report
 * @property fields the whole user object: identities, network, deviceInfo, sessionInfo
 */
public class SignedInUser internal constructor(public val fields: Map<String, Any?>) {
  public val token: String = fields.text("token") ?: throw SignInError.incomplete("token")
  public val userId: String = fields.text("userId").orEmpty()
  public val timestamp: String = fields.text("timestamp").orEmpty()
  public val idToken: String? = fields.text("idToken")
  public val dfrId: String? = fields.text("dfrId")
}

/**
 * The progress of a sign-in.
 *
 * @property user returned once, with SUCCESS
 */
public class SignInStatus internal constructor(response: JsonObject) {
  public val status: Status =
    Status.values().find { it.name == response["status"] } ?: throw SignInError.incomplete("status")
  public val user: SignedInUser? = response.members("user")?.let(::SignedInUser)

  /** The state of a sign-in. */
  public enum class Status {
    /** The person has not completed it yet. */
    PENDING,

    /** The person has signed in. */
    SUCCESS,

    /** It can no longer succeed. */
    FAILED,

    /** The person did not complete it in time. */
    EXPIRED,
  }
}
