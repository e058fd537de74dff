// Where does Gradle find the SDK? In the Maven repository of a release, or as `npm run test:android -- --package` makes it in this clone.
pluginManagement {
  repositories {
    google()
    mavenCentral()
    gradlePluginPortal()
  }
}

dependencyResolutionManagement {
  repositories {
    google()
    mavenCentral()
    exclusiveContent {
      forRepository { maven { url = uri("../../.build/android/repository") } }
      filter { includeGroup("ringfence") }
    }
  }
}

include(":app")
