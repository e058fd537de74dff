package android.media;

/** In place of Android's, which loads a library of the system. */
public final class MediaCodecList {
  public static final int ALL_CODECS = 1;
  public static volatile MediaCodecInfo[] codecs;

  public MediaCodecList(int kind) {
    if (codecs == null) throw new IllegalStateException("a test");
  }

  public MediaCodecInfo[] getCodecInfos() {
    return codecs;
  }
}
