package ringfence

import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.IntelligenceError
import ringfence.core.UpdateInfo
import ringfence.signin.Channel
import ringfence.signin.HeadlessAuthentication
import ringfence.signin.Identity
import ringfence.signin.SignInError
import ringfence.signin.SignInRequest

/** A call may come from the thread that draws the screen. */
class CallersThreadTest {
  @Test
  fun `the environment is made once, on a thread of the SDK`() {
    val faults = Faults.planned()
    val makers = CopyOnWriteArrayList<String>()
    val client =
      IntelligenceClient(
        lazy {
          makers.add(Thread.currentThread().name)
          Environment("com.example.shop", log = Log())
        }
      )
    val signIn = HeadlessAuthentication(client)
    assertEquals(emptyList<String>(), makers)
    assertTrue(blocking { client.initialize("rfa_test", faults.url) })
    assertTrue(blocking { signIn.initialize("rfa_test", faults.url) })
    assertEquals(listOf("ringfence"), makers)
    assertEquals(1, faults.calls().size, "both use one session")
  }

  @Test
  fun `an environment that cannot be made fails each call, and is no exception in the app`() {
    val client = IntelligenceClient(lazy { error("a system without a name of the package") })
    assertFalse(blocking { client.initialize("rfa_test", "https://ringfence.example") })
    assertInstanceOf(IntelligenceError.NotConfigured::class.java, failureOf(client))
    val signIn = HeadlessAuthentication(client)
    assertFalse(blocking { signIn.initialize("rfa_test", "https://ringfence.example") })
    val request = SignInRequest(Channel.OTP, Identity.mobile("4915123456789"))
    val error = signInError<SignInError.Unreachable> { signIn.start(request) }
    assertEquals("a system without a name of the package", error.message)
  }

  @Test
  fun `what an app changes after its call of fetch is not sent`() {
    val faults = Faults.planned("intelligence" to listOf("held"))
    val client = initialized(faults, Environment("com.example.shop", log = Log()))
    val busy = calling { client.fetch(null, null, it) }
    val items = mutableListOf("A-1")
    val params = mutableMapOf<String, Any>("items" to items)
    val campaigns = mutableMapOf("campaign" to "spring")
    val info = UpdateInfo(userId = "u-1", additionalInput = campaigns)
    val waiting = calling { client.fetch(params, info, it) }
    items.add("A-2")
    params["more"] = 1
    campaigns["campaign"] = "autumn"
    info.userId = "u-2"
    faults.release()
    assertTrue(busy.get(60, TimeUnit.SECONDS).success)
    assertTrue(waiting.get(60, TimeUnit.SECONDS).success)
    val push = faults.calls("device-fingerprint").last().body
    assertEquals(listOf<Any?>(listOf("A-1"), null), listOf(push["items"], push["more"]))
    val sent = mapOf("userId" to "u-1", "additionalInput" to mapOf("campaign" to "spring"))
    assertEquals(sent, faults.calls("intelligence").last().body["updateInfo"])
  }

  @Test
  fun `what an app changes after its call of start is not sent`() {
    val faults = Faults.planned("auth/status" to List(4) { "held" })
    val signIn = signIn(faults.url)
    signIn.started(SignInRequest(Channel.OTP, Identity.mobile("4915123456788")))
    repeat(4) { signIn.status(null) { _, _ -> } }
    faults.waitForCall("auth/status", count = 4) // no thread is left
    val started = CompletableFuture<SignInError?>()
    val request = SignInRequest(Channel.OTP, Identity.mobile("4915123456789"), locale = "de")
    signIn.start(request) { _, error -> started.complete(error) }
    request.locale = "fr"
    request.identity = null
    faults.release()
    assertNull(started.get(60, TimeUnit.SECONDS))
    val sent = faults.calls("auth/start").last().body
    val identity = mapOf("type" to "MOBILE", "value" to "4915123456789")
    assertEquals(listOf<Any?>("de", identity), listOf(sent["locale"], sent["identity"]))
  }
}
