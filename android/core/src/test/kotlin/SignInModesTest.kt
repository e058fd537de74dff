package ringfence

import java.net.URI
import java.util.concurrent.CopyOnWriteArrayList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.Storage
import ringfence.core.TemporaryStorage
import ringfence.core.calls.HttpRequest
import ringfence.core.calls.Transport
import ringfence.core.calls.UrlConnectionTransport
import ringfence.signin.Channel
import ringfence.signin.DeviceFingerprintMode
import ringfence.signin.HeadlessAuthentication
import ringfence.signin.Identity
import ringfence.signin.SignInRequest
import ringfence.signin.SignInTransaction
import ringfence.signin.SignedInUser

/** The real service, for every way to sign in, in every mode. (specification 4.7, rule 5) */
class SignInModesTest {
  private val responses = CopyOnWriteArrayList<String>()
  private val transport =
    object : Transport {
      private val connections = UrlConnectionTransport()

      override fun send(request: HttpRequest) =
        connections.send(request).also { responses.add(request.url.path) }
    }

  /** `isReopened`: the app is closed after the start, and a new process completes the sign-in. */
  private class Flow(
    val name: String,
    val isReopened: Boolean = false,
    val request: (recipient: String) -> SignInRequest,
    val complete:
      suspend (HeadlessAuthentication, SignInTransaction, recipient: String) -> Result<SignedInUser>,
  )

  /** An app as after its launch. */
  private fun launched(storage: Storage): HeadlessAuthentication {
    val environment =
      Environment(started("PACKAGE_NAME"), transport = transport, storage = storage, log = Log())
    val client = IntelligenceClient(environment)
    assertTrue(blocking { client.initialize(started("APP_ID"), started("URL")) })
    val signIn = HeadlessAuthentication(environment, client)
    assertTrue(blocking { signIn.initialize(started("APP_ID"), started("URL")) })
    return signIn
  }

  private suspend fun withCode(
    signIn: HeadlessAuthentication,
    location: String,
  ): Result<SignedInUser> {
    val values =
      URI(location).query.split('&').associate { it.substringBefore('=') to it.substringAfter('=') }
    return signIn.verify(
      code = values["ringfence_code"],
      transactionId = values["ringfence_transaction"],
    )
  }

  private fun flows(): List<Flow> {
    val back = "${started("PACKAGE_NAME")}://signed-in"
    val otp: suspend (HeadlessAuthentication, SignInTransaction, String) -> Result<SignedInUser> =
      { signIn, _, recipient ->
        signIn.verify(otp = otpSentTo(recipient))
      }
    val link = { recipient: String ->
      SignInRequest(Channel.MAGIC_LINK, Identity.email(recipient), redirectUrl = back)
    }
    val provider = { _: String ->
      SignInRequest(Channel.OAUTH, method = "GOOGLE", redirectUrl = back)
    }
    return listOf(
      Flow(
        "OTP by SMS",
        request = { SignInRequest(Channel.OTP, Identity.mobile(it)) },
        complete = otp,
      ),
      Flow(
        "OTP by email",
        request = { SignInRequest(Channel.OTP, Identity.email(it)) },
        complete = otp,
      ),
      Flow(
        "magic link on another device",
        request = { SignInRequest(Channel.MAGIC_LINK, Identity.email(it)) },
        complete = { signIn, transaction, recipient ->
          openLinkSentTo(recipient)
          signIn.status(transaction.transactionId).map { it.user!! }
        },
      ),
    ) +
      listOf(false, true).flatMap { isReopened ->
        val closed = if (isReopened) ", and the app was closed" else ""
        listOf(
          Flow("magic link that leads back to the app$closed", isReopened, link) {
            signIn,
            _,
            recipient ->
            withCode(signIn, openLinkSentTo(recipient))
          },
          Flow("identity provider$closed", isReopened, provider) { signIn, transaction, _ ->
            withCode(signIn, signInAtProvider(transaction.authorizationUrl!!))
          },
        )
      }
  }

  private fun pushes() = responses.count { it == "/sdk/v1/device-fingerprint" }

  @ParameterizedTest
  @EnumSource(DeviceFingerprintMode::class)
  fun `4_7 rule 5 - every way to sign in has the fingerprint that its mode promises`(
    mode: DeviceFingerprintMode
  ) {
    flows().forEachIndexed { index, flow ->
      val email = "android-${mode.name.lowercase()}-$index@shop.example"
      val recipient = if (flow.name.endsWith("SMS")) "49151234577$index${mode.ordinal}" else email
      val storage = TemporaryStorage()
      val signIn = launched(storage)
      val before = pushes()
      val transaction =
        signIn.started(flow.request(recipient).also { it.deviceFingerprintMode = mode })
      if (flow.isReopened && mode == DeviceFingerprintMode.ASYNC) {
        until { pushes() > before }
      }
      val completing = if (flow.isReopened) launched(storage) else signIn
      val user = blocking { flow.complete(completing, transaction, recipient) }.getOrThrow()
      val hasFingerprint = mode != DeviceFingerprintMode.NONE
      assertEquals(hasFingerprint, user.dfrId != null, flow.name)
      assertEquals(hasFingerprint, validated(user.token)["secureInfo"] != null, flow.name)
      assertEquals(if (hasFingerprint) 1 else 0, pushes() - before, flow.name)
    }
  }
}
