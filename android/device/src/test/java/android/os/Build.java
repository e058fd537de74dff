package android.os;

/** In place of Android's, which asks the system: on a JVM there is none. */
public final class Build {
  public static final String BRAND = "google";
  public static final String MODEL = "Pixel 8";
  public static final String DISPLAY = "BP2A.250605.031";
  public static final String FINGERPRINT = "google/shiba/shiba:16/BP2A.250605.031/13578606:user/release-keys";
  public static final String HARDWARE = "shiba";
  public static final String PRODUCT = "shiba";
  public static final String TAGS = "release-keys";
  public static final String[] SUPPORTED_ABIS = {"arm64-v8a"};

  /** Classes of Android read it. */
  public static final int HW_TIMEOUT_MULTIPLIER = 1;

  private Build() {}

  /** The system's version. */
  public static final class VERSION {
    public static final String RELEASE = "16";
    public static final int SDK_INT = Integer.getInteger("test.sdk", 36);

    private VERSION() {}
  }
}
