package ringfence

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.mobiledata.MobileDataException
import ringfence.core.mobiledata.targetOf

class RedirectTest {
  @Test
  fun `RFC 3986 - a redirect leads where the shared vectors say`() {
    val vectors = (contract("testdata/redirects")["redirects"] as List<*>).map { it.members() }
    assertTrue(vectors.size > 10)
    for (vector in vectors) {
      val from = vector["from"] as String
      val location = vector["location"] as String
      assertEquals(vector["to"], targetOf(from, location), "$location from $from")
    }
  }

  @Test
  fun `a redirect without a readable target leads nowhere`() {
    for (location in listOf(null, "https://[", "/%zz", ":")) {
      assertThrows(MobileDataException::class.java) {
        targetOf("https://operator.example/", location)
      }
    }
  }
}
