// What does an app send to sign a person in? (contract/src/sign-in.ts)
package ringfence.signin

import ringfence.core.UpdateInfo
import ringfence.core.json.JsonObject
import ringfence.core.json.jsonObjectOf

/** Whether a sign-in includes the device fingerprint. (specification 4.7, rule 5) */
public enum class DeviceFingerprintMode {
  /** No fingerprint. */
  NONE,

  /**
   * Taken in parallel with the request, which does not wait. `verify` and `status` wait at most 5 s
   * for it.
   */
  ASYNC,

  /** Taken before the request, so the request always includes it. */
  SYNC,
}

/** How a person proves who they are. */
public enum class Channel {
  /** Digits in a message. */
  OTP,

  /** A link in a message. */
  MAGIC_LINK,

  /** At an identity provider, for example Google. */
  OAUTH,

  /**
   * By the mobile network, without a message: the SDK opens the operator's URL over mobile data.
   */
  SILENT,
}

/** Who signs in. */
public class Identity private constructor(public val type: String, public val value: String) {
  public companion object {
    /** A phone number: digits with country code, no plus sign. */
    @JvmStatic public fun mobile(number: String): Identity = Identity("MOBILE", number)

    /** An email address. */
    @JvmStatic public fun email(address: String): Identity = Identity("EMAIL", address)
  }
}

/**
 * A request to sign a person in.
 *
 * @property channel how the person proves who they are
 * @property identity who signs in. Not for OAUTH
 * @property method SMS, EMAIL, or the name of an identity provider. Required if the app offers
 *   several
 * @property redirectUrl OAUTH, MAGIC_LINK: the URL that the person returns to. OTP: for a step-up
 *   of the telecom gate. SILENT: only if the app itself opens `authorizationUrl`
 * @property otpLength OTP: number of digits
 * @property locale BCP 47 language of the message
 * @property linkTo adds what is proved to the user of this token: `SignedInUser.token` of a sign-in
 *   in this app within the last five minutes. Not for SILENT
 * @property deviceFingerprintMode default: NONE
 * @property params sent with the fingerprint, as in `fetchIntelligence`
 * @property updateInfo for the fingerprint, as in `fetchIntelligence`
 */
public class SignInRequest
@JvmOverloads
constructor(
  public val channel: Channel,
  public var identity: Identity? = null,
  public var method: String? = null,
  public var redirectUrl: String? = null,
  public var otpLength: Int? = null,
  public var locale: String? = null,
  public var linkTo: String? = null,
  public var deviceFingerprintMode: DeviceFingerprintMode = DeviceFingerprintMode.NONE,
  public var params: Map<String, *>? = null,
  public var updateInfo: UpdateInfo? = null,
) {
  /** The app may change its own. */
  internal fun copied(): SignInRequest =
    SignInRequest(
      channel,
      identity,
      method,
      redirectUrl,
      otpLength,
      locale,
      linkTo,
      deviceFingerprintMode,
      params?.let(::jsonObjectOf),
      updateInfo?.copied(),
    )

  internal fun toJson(): JsonObject {
    val fields =
      mapOf(
        "channel" to channel.name,
        "method" to method,
        "identity" to identity?.let { mapOf("type" to it.type, "value" to it.value) },
        "redirectUrl" to redirectUrl,
        "otpLength" to otpLength,
        "locale" to locale,
        "linkTo" to linkTo,
        "deviceFingerprintMode" to deviceFingerprintMode.name,
      )
    return jsonObjectOf(fields.filterValues { it != null })
  }
}
