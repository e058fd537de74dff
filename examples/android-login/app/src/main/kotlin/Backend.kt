// How does your backend find out who signed in? It verifies the token, because anyone can forge
// what an app sends.
package com.example.shop

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import org.json.JSONObject
import ringfence.signin.SignedInUser

/** The backend of examples/node-login, or your own. */
private const val BACKEND_URL = "http://localhost:3000"

/**
 * The backend verifies the token with Ringfence and starts its session. Returns the id of the user.
 * Blocks, and throws IOException.
 */
fun logIn(user: SignedInUser): String {
  val connection = URL("$BACKEND_URL/login").openConnection() as HttpURLConnection
  try {
    connection.requestMethod = "POST"
    connection.setRequestProperty("content-type", "application/json")
    connection.doOutput = true
    val body = JSONObject().put("token", user.token).putOpt("dfrId", user.dfrId)
    connection.outputStream.use { it.write(body.toString().toByteArray()) }
    if (connection.responseCode != 200) throw IOException("The backend refused the sign-in")
    val answer = connection.inputStream.use { it.readBytes().toString(Charsets.UTF_8) }
    return JSONObject(answer).getString("userId")
  } finally {
    connection.disconnect()
  }
}
