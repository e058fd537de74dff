package android.media;

import android.os.Build.VERSION;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** In place of Android's, which loads a library of the system. Without an id the phone has no copy protection. */
public final class MediaDrm {
  public static final String PROPERTY_DEVICE_UNIQUE_ID = "deviceUniqueId";
  private static final UUID WIDEVINE = new UUID(0xedef8ba979d64aceL, 0xa3c827dcd51d21edL);
  public static volatile byte[] id;
  /** What else the system does when it is asked for the id, and when it is closed. */
  public static volatile Callable<byte[]> reading;
  public static volatile Runnable closing;
  public static final AtomicInteger OPEN = new AtomicInteger();

  public MediaDrm(UUID scheme) throws UnsupportedSchemeException {
    boolean isKnown = (id != null || reading != null) && scheme.equals(WIDEVINE);
    if (!isKnown) throw new UnsupportedSchemeException("a test");
    OPEN.incrementAndGet();
  }

  public byte[] getPropertyByteArray(String name) throws Exception {
    if (reading != null) return reading.call();
    return name.equals(PROPERTY_DEVICE_UNIQUE_ID) ? id : null;
  }

  public void close() {
    if (VERSION.SDK_INT < 28) throw new NoSuchMethodError("close");
    end();
  }

  public void release() {
    if (VERSION.SDK_INT >= 28) throw new AssertionError("deprecated");
    end();
  }

  private void end() {
    OPEN.decrementAndGet();
    if (closing != null) closing.run();
  }
}
