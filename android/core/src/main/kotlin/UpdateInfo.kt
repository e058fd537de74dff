// What does the app know about the person and the event? (specification 2.7, 4.7 rule 2)
package ringfence.core

import ringfence.core.json.JsonObject
import ringfence.core.json.jsonObjectOf

/**
 * What the app knows about the person and the event. All fields are optional.
 *
 * @property userId your id of the user
 * @property phoneNumber digits with country code, no plus sign
 * @property phoneInputType how the phone number was entered
 * @property otpInputType how the digits of a message were entered
 * @property userEventType what the person is doing
 * @property merchantId your id of the merchant, on a marketplace
 * @property additionalInput your own context, under your own names
 */
public data class UpdateInfo(
  public var userId: String? = null,
  public var phoneNumber: String? = null,
  public var phoneInputType: PhoneInputType? = null,
  public var otpInputType: OtpInputType? = null,
  public var userEventType: UserEventType? = null,
  public var merchantId: String? = null,
  public var additionalInput: Map<String, String>? = null,
) {
  /** How the phone number was entered. */
  public enum class PhoneInputType {
    /** Typed. */
    MANUAL,

    /** From the clipboard. */
    COPY_PASTED,

    /** Selected from a list that the system offered. */
    GOOGLE_HINT,
  }

  /** How the digits of a message were entered. */
  public enum class OtpInputType {
    /** Typed. */
    MANUAL,

    /** From the clipboard. */
    COPY_PASTED,

    /** Filled in by the system from the message. */
    AUTO_FILLED,
  }

  /** What the person is doing. */
  public enum class UserEventType {
    /** Signing in. */
    LOGIN,

    /** Creating an account. */
    SIGNUP,

    /** Paying or transferring money. */
    TRANSACTION,

    /** Anything else. Rules use it as the default. */
    OTHERS,
  }

  internal fun copied(): UpdateInfo = copy(additionalInput = additionalInput?.let(::HashMap))

  internal fun toJson(): JsonObject {
    val members =
      mapOf(
        "userId" to userId,
        "phoneNumber" to phoneNumber,
        "phoneInputType" to phoneInputType?.name,
        "otpInputType" to otpInputType?.name,
        "userEventType" to userEventType?.name,
        "merchantId" to merchantId,
        "additionalInput" to additionalInput,
      )
    return jsonObjectOf(members.filterValues { it != null })
  }

  public companion object {
    /**
     * From values by name. Drops unknown names, values of other types and enum strings that do not
     * exist; in `additionalInput` each value separately.
     */
    @JvmStatic
    public fun of(values: Map<String, *>): UpdateInfo =
      UpdateInfo(
        userId = values["userId"] as? String,
        phoneNumber = values["phoneNumber"] as? String,
        phoneInputType = PhoneInputType.values().find { it.name == values["phoneInputType"] },
        otpInputType = OtpInputType.values().find { it.name == values["otpInputType"] },
        userEventType = UserEventType.values().find { it.name == values["userEventType"] },
        merchantId = values["merchantId"] as? String,
        additionalInput = (values["additionalInput"] as? Map<*, *>)?.let(::texts),
      )

    private fun texts(values: Map<*, *>): Map<String, String> {
      val texts = LinkedHashMap<String, String>()
      for ((name, value) in values) if (name is String && value is String) texts[name] = value
      return texts
    }
  }
}
