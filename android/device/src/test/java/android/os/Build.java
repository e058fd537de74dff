package android.os;

/** In place of Android's, which asks the system: on a JVM there is none. */
public final class Build {
  // Not final: a test may change them.
  public static String BRAND = "google";
  public static String MODEL = "Pixel 8";
  public static String DISPLAY = "BP2A.250605.031";
  public static String FINGERPRINT = "google/shiba/shiba:16/BP2A.250605.031/13578606:user/release-keys";
  public static String HARDWARE = "shiba";
  public static String PRODUCT = "shiba";
  public static String TAGS = "release-keys";
  public static final String[] SUPPORTED_ABIS = {"arm64-v8a"};

  /** Classes of Android read it. */
  public static final int HW_TIMEOUT_MULTIPLIER = 1;

  private Build() {}

  /** The system's version. */
  public static final class VERSION {
    public static String RELEASE = "16";
    public static int SDK_INT = Integer.getInteger("test.sdk", 36);

    private VERSION() {}
  }
}
