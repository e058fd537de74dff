package ringfence.device.levels

import android.os.LocaleList
import android.security.keystore.KeyGenParameterSpec

/**
 * Members of Android 7. Callers ask for the level, in an `if` around the call: npm run test:android
 * checks it. A class for each level, because older systems refuse to load a class with members that
 * they do not know.
 */
internal object Api24 {
  fun languages(): List<String> =
    LocaleList.getDefault().let { list -> List(list.size()) { list[it].toLanguageTag() } }

  fun attest(spec: KeyGenParameterSpec.Builder, challenge: ByteArray): KeyGenParameterSpec.Builder =
    spec.setAttestationChallenge(challenge)
}
