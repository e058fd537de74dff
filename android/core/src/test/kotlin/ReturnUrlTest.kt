package ringfence

import java.net.URI
import java.util.concurrent.CompletableFuture
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Clock
import ringfence.core.Environment
import ringfence.core.ForgivingStorage
import ringfence.core.Storage
import ringfence.core.TemporaryStorage
import ringfence.core.proof.challengeOf
import ringfence.core.proof.newCodeVerifier
import ringfence.signin.Channel
import ringfence.signin.HeadlessAuthentication
import ringfence.signin.Identity
import ringfence.signin.PendingSignIns
import ringfence.signin.SignInError
import ringfence.signin.SignInRequest

/** Another app may have the same intent filter, and an attacker may send a link. (RFC 8252, 8.1) */
class ReturnUrlTest {
  private val owner = "rfa_test https://ringfence.example"
  private val otp = SignInRequest(Channel.OTP, Identity.mobile("4915123456789"))

  /** An app as after its launch. `storage`: what the phone stores for it. */
  private fun launched(storage: Storage, clock: Clock = QuickClock()): HeadlessAuthentication =
    launched(storage, started("URL"), started("APP_ID"), started("PACKAGE_NAME"), clock)

  private fun launched(
    storage: Storage,
    url: String,
    appId: String,
    packageName: String,
    clock: Clock = QuickClock(),
  ) =
    HeadlessAuthentication(Environment(packageName, clock, storage = storage, log = Log()), null)
      .also { assertTrue(blocking { it.initialize(appId, url) }) }

  private fun pendingIn(storage: Storage, clock: Clock = QuickClock()) =
    PendingSignIns(ForgivingStorage(storage, Log()), clock)

  private class SetClock(var now: Long) : Clock {
    override fun now() = now

    override fun sleep(millis: Long) {}
  }

  private class Returned(val transactionId: String, val code: String)

  /** A start, and the URL that opens the app. */
  private fun returned(name: String, to: HeadlessAuthentication): Returned =
    returned(Channel.MAGIC_LINK, Identity.email("$name@shop.example"), to)

  private fun returned(channel: Channel, identity: Identity, to: HeadlessAuthentication): Returned {
    val back = "${started("PACKAGE_NAME")}://signed-in"
    val id = to.started(SignInRequest(channel, identity, redirectUrl = back)).transactionId
    val query = URI(openLinkSentTo(identity.value)).query.split('&')
    return Returned(id, query.first { it.startsWith("ringfence_code=") }.substringAfter('='))
  }

  @Test
  fun `an OTP that the telecom gate made a magic link is finished by its code after a restart`() {
    val owners = TemporaryStorage()
    val swapped = Identity.mobile("4915123450110")
    val back = returned(Channel.OTP, swapped, launched(owners))
    val reopened = launched(owners)
    val user = blocking { reopened.verify(code = back.code, transactionId = back.transactionId) }
    assertTrue(user.isSuccess, "$user")
  }

  @Test
  fun `another app that got the return URL cannot finish, and the owner can after a restart`() {
    val (owners, others) = List(2) { TemporaryStorage() }
    val back = returned("android-owner", launched(owners))
    val verify: suspend (HeadlessAuthentication) -> Result<*> = {
      it.verify(code = back.code, transactionId = back.transactionId)
    }
    val other = launched(others)
    signInError<SignInError.NoSignIn> { verify(other) }
    // Attackers write their own SDK.
    pendingIn(others)
      .add(back.transactionId, newCodeVerifier(), "${started("APP_ID")} ${started("URL")}", null)
    val forger = launched(others)
    val refused = signInError<SignInError.Refused> { verify(forger) }
    assertEquals(400 to "7135", refused.status to refused.errorCode)
    val reopened = launched(owners)
    assertTrue(blocking { verify(reopened) }.isSuccess)
  }

  @Test
  fun `the link of an attacker signs nobody in`() {
    val back = returned("android-mallory", launched(TemporaryStorage()))
    val victim = launched(TemporaryStorage())
    victim.started(SignInRequest(Channel.OTP, Identity.email("android-victim@shop.example")))
    val id = back.transactionId
    signInError<SignInError.NoSignIn> { victim.verify(code = back.code, transactionId = id) }
    signInError<SignInError.NoSignIn> { victim.verify(otp = "123456", transactionId = id) }
    signInError<SignInError.NoSignIn> { victim.status(id) }
    signInError<SignInError.NoSignIn> { victim.resend(id) }
  }

  @Test
  fun `the verifier goes with a code only, and is deleted when it was used`() {
    val faults = Faults.planned()
    val storage = TemporaryStorage()
    val signIn = launched(storage, faults.url, "rfa_test", "com.example.shop")
    val challenges = { faults.calls("auth/start").map { it.body["codeChallenge"] } }
    repeat(2) { signIn.started(otp) }
    val stored = storage.text("signIns")!!
    signInError<SignInError.Refused> { signIn.verify(code = "wrong") }
    val verifier = faults.calls("auth/verify").last().body["codeVerifier"] as String
    assertTrue(verifier in stored)
    assertEquals(List(2) { challengeOf(verifier) }, challenges(), "a repeated start is the same")
    blocking { signIn.verify(otp = "123456") }.getOrThrow()
    val withOtp = faults.calls("auth/verify").last().body
    assertFalse("codeVerifier" in withOtp)
    assertFalse(withOtp["transactionId"] as String in storage.text("signIns").orEmpty())
    signIn.started(otp)
    assertNotEquals(challengeOf(verifier), challenges().last())
  }

  @Test
  fun `the challenge is that of RFC 7636, appendix B`() {
    val challenge = challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    assertEquals("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", challenge)
  }

  @Test
  fun `five sign-ins are stored for a day`() {
    val storage = TemporaryStorage()
    val clock = SetClock(1_800_000_000_000)
    val pending = pendingIn(storage, clock)
    for (count in 1..6) pending.add("transaction-$count", "verifier", owner, null)
    val after = pendingIn(storage, clock)
    assertNull(after.of("transaction-1", owner))
    assertEquals("verifier", after.of("transaction-2", owner)?.codeVerifier)
    assertEquals("transaction-6", after.of(null, owner)?.transactionId)
    clock.now += 86_400_000
    assertNull(after.of(null, owner))
    clock.now -= 2 * 86_400_000
    assertNull(after.of(null, owner), "a clock that was ahead")
    after.forget("transaction-6")
    assertEquals("", storage.text("signIns"))
  }

  @Test
  fun `a clock that is set while the person is away costs no sign-in`() {
    for (wrong in listOf(0L, System.currentTimeMillis() + 31_536_000_000)) {
      val clock = SetClock(wrong)
      val signIn = launched(TemporaryStorage(), clock)
      val back = returned("android-clock-$wrong", signIn)
      clock.now = System.currentTimeMillis()
      blocking { signIn.verify(code = back.code, transactionId = back.transactionId) }.getOrThrow()
    }
  }

  @Test
  fun `two processes store their sign-ins side by side`() {
    val storage = TemporaryStorage()
    val (first, second) = List(2) { pendingIn(storage) }
    second.add("b-1", "verifier", owner, null)
    val late = FutureTask<String?> { null }
    first.add("a-1", "verifier", owner, late)
    second.forget("b-1")
    second.add("b-2", "verifier", owner, null)
    for (pending in listOf(first, second)) {
      assertEquals(
        listOf(true, false, true),
        listOf("a-1", "b-1", "b-2").map { pending.of(it, owner) != null },
      )
      assertEquals("b-2", pending.of(null, owner)?.transactionId)
    }
    assertSame(late, first.of("a-1", owner)?.fingerprint)
    val found =
      listOf("a", "b").map { name ->
        CompletableFuture.supplyAsync {
          val pending = pendingIn(storage)
          (1..500).count { count ->
            pending.add("$name-$count", "verifier", owner, null)
            val isFound = pending.of("$name-$count", owner) != null
            pending.forget("$name-$count")
            isFound
          }
        }
      }
    assertEquals(listOf(500, 500), found.map { it.get(60, TimeUnit.SECONDS) })
  }

  @Test
  fun `the last sign-in that one process finishes is finished for the other ones`() {
    // As files are: an empty one has no value.
    val files = TemporaryStorage()
    val storage =
      object : Storage by files {
        override fun text(name: String) = files.text(name)?.ifEmpty { null }
      }
    val (first, second) = List(2) { pendingIn(storage) }
    first.add("a-1", "verifier", owner, null)
    second.forget("a-1")
    assertNull(first.of(null, owner))
    first.add("a-2", "verifier", owner, null)
    assertNull(second.of("a-1", owner))
  }

  @Test
  fun `a sign-in belongs to its app and its service`() {
    val pending = pendingIn(TemporaryStorage())
    pending.add("t", "verifier", owner, null)
    for (other in listOf("rfa_other https://ringfence.example", "rfa_test https://other.example")) {
      assertNull(pending.of("t", other))
      assertNull(pending.of(null, other))
    }
    assertEquals("t", pending.of(null, owner)?.transactionId)
  }

  @Test
  fun `a sign-in that the phone cannot store lasts as long as the process`() {
    var isFull = false
    val stored = TemporaryStorage()
    val storage =
      object : Storage by stored {
        override fun store(name: String, text: String?) {
          if (isFull) error("no space left") else stored.store(name, text)
        }
      }
    val pending = pendingIn(storage)
    pending.add("before", "verifier", owner, null)
    isFull = true
    pending.add("after", "verifier", owner, null)
    assertEquals("after", pending.of(null, owner)?.transactionId)
    pending.forget("after")
    assertNull(pending.of("after", owner))
  }

  @Test
  fun `a damaged file costs the sign-ins, and nothing else`() {
    for (text in
      listOf("", "\n", "t", "t verifier", "t verifier yesterday", "t verifier 1", "{}")) {
      val storage = TemporaryStorage().also { it.store("signIns", text) }
      val pending = pendingIn(storage)
      assertNull(pending.of(null, owner), text)
      pending.add("t", "verifier", owner, null)
      assertEquals("verifier", pending.of("t", owner)?.codeVerifier)
    }
  }
}
