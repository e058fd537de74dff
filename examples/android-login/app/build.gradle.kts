plugins {
  id("com.android.application")
  id("org.jetbrains.kotlin.android")
}

android {
  namespace = "com.example.shop"
  compileSdk = 35

  defaultConfig {
    applicationId = "com.example.shop"
    minSdk = 23
    targetSdk = 35
    versionCode = 1
    versionName = "1.0"
  }
}

kotlin { jvmToolchain(17) }

dependencies {
  implementation("ringfence:ringfence-device:1.0.0")
  // Optional: looks for apps by which somebody else can control the phone.
  implementation("ringfence:ringfence-app-checks:1.0.0")
}
