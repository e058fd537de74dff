// What does a JVM have of a phone? Files, and a Keystore in software. All else throws, as on a
// phone whose maker changed it.
package ringfence

import android.content.Context
import android.content.ContextWrapper
import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.StrongBoxUnavailableException
import java.io.File
import java.io.InputStream
import java.io.OutputStream
import java.security.Key
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.KeyPairGeneratorSpi
import java.security.KeyStoreSpi
import java.security.Provider
import java.security.SecureRandom
import java.security.Security
import java.security.cert.Certificate
import java.security.spec.AlgorithmParameterSpec
import java.util.Collections
import java.util.Date
import java.util.Enumeration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList

/** An app on a phone without services of the system. */
open class TestPhone(
  private val folder: File,
  private val packageName: String = "com.example.shop",
) : ContextWrapper(null) {
  override fun getApplicationContext(): Context = this

  override fun getPackageName(): String = packageName

  override fun getNoBackupFilesDir(): File = folder

  override fun getApplicationInfo(): ApplicationInfo =
    ApplicationInfo().also { it.dataDir = folder.path }

  override fun getSystemServiceName(type: Class<*>): String? = null

  override fun getSystemService(name: String): Any? = null

  override fun checkSelfPermission(permission: String): Int = PackageManager.PERMISSION_DENIED
}

/** A certificate with a public key, and bytes that say what it attests. */
class TestCertificate(private val pair: KeyPair, private val bytes: ByteArray) :
  Certificate("X.509") {
  override fun getEncoded() = bytes

  override fun verify(key: java.security.PublicKey) = Unit

  override fun verify(key: java.security.PublicKey, provider: String) = Unit

  override fun toString() = "test"

  override fun getPublicKey() = pair.public!!
}

/**
 * The keys of the phone. `broken`: what the Keystore throws. `canAttest`: its keys have
 * certificates. `hasChip`: it has a security chip.
 */
object TestKeystore {
  class Entry(val pair: KeyPair, val chain: List<Certificate>)

  val entries = ConcurrentHashMap<String, Entry>()
  @Volatile var broken: (() -> Nothing)? = null
  @Volatile var canAttest = false
  @Volatile var hasChip = false

  /** What keys were asked for. */
  val requests = CopyOnWriteArrayList<KeyGenParameterSpec>()

  fun install() {
    entries.clear()
    requests.clear()
    broken = null
    canAttest = false
    hasChip = false
    if (Security.getProvider("AndroidKeyStore") != null) return
    val provider = object : Provider("AndroidKeyStore", "1.0", "a test") {}
    provider["KeyStore.AndroidKeyStore"] = TestKeyStoreSpi::class.java.name
    provider["KeyPairGenerator.EC"] = TestGeneratorSpi::class.java.name
    Security.addProvider(provider)
  }
}

class TestGeneratorSpi : KeyPairGeneratorSpi() {
  private lateinit var spec: KeyGenParameterSpec

  override fun initialize(size: Int, random: SecureRandom?) = throw UnsupportedOperationException()

  override fun initialize(parameters: AlgorithmParameterSpec, random: SecureRandom?) {
    spec = parameters as KeyGenParameterSpec
  }

  override fun generateKeyPair(): KeyPair {
    TestKeystore.broken?.invoke()
    TestKeystore.requests.add(spec)
    if (spec.isStrongBoxBacked && !TestKeystore.hasChip) throw StrongBoxUnavailableException()
    val challenge = spec.attestationChallenge
    if (challenge != null && !TestKeystore.canAttest)
      throw java.security.ProviderException("cannot attest")
    val pair =
      KeyPairGenerator.getInstance("EC", "SunEC").run {
        initialize(spec.algorithmParameterSpec)
        generateKeyPair()
      }
    val own = TestCertificate(pair, challenge ?: ByteArray(0))
    val chain =
      if (challenge == null) listOf(own) else listOf(own, TestCertificate(pair, byteArrayOf(1)))
    TestKeystore.entries[spec.keystoreAlias] = TestKeystore.Entry(pair, chain)
    return pair
  }
}

class TestKeyStoreSpi : KeyStoreSpi() {
  private fun entry(alias: String) = TestKeystore.broken?.invoke() ?: TestKeystore.entries[alias]

  override fun engineLoad(stream: InputStream?, password: CharArray?) =
    TestKeystore.broken?.invoke() ?: Unit

  override fun engineGetKey(alias: String, password: CharArray?): Key? = entry(alias)?.pair?.private

  override fun engineGetCertificate(alias: String): Certificate? = entry(alias)?.chain?.first()

  override fun engineGetCertificateChain(alias: String): Array<Certificate>? =
    entry(alias)?.chain?.toTypedArray()

  override fun engineDeleteEntry(alias: String) {
    TestKeystore.entries.remove(alias)
  }

  override fun engineContainsAlias(alias: String) = entry(alias) != null

  override fun engineIsKeyEntry(alias: String) = entry(alias) != null

  override fun engineSize() = TestKeystore.entries.size

  override fun engineAliases(): Enumeration<String> =
    Collections.enumeration(TestKeystore.entries.keys)

  override fun engineGetCreationDate(alias: String): Date? = null

  override fun engineIsCertificateEntry(alias: String) = false

  override fun engineGetCertificateAlias(certificate: Certificate?): String? = null

  override fun engineSetKeyEntry(
    alias: String,
    key: Key,
    password: CharArray?,
    chain: Array<out Certificate>?,
  ) = throw UnsupportedOperationException()

  override fun engineSetKeyEntry(alias: String, key: ByteArray, chain: Array<out Certificate>?) =
    throw UnsupportedOperationException()

  override fun engineSetCertificateEntry(alias: String, certificate: Certificate?) =
    throw UnsupportedOperationException()

  override fun engineStore(stream: OutputStream?, password: CharArray?) =
    throw UnsupportedOperationException()
}
