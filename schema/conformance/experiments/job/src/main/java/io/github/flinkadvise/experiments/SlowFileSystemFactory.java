package io.github.flinkadvise.experiments;

import java.net.URI;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;

/** Serves {@code slow:///path}: the local disk behind a narrow line. Installed as a Flink plugin. */
public final class SlowFileSystemFactory implements FileSystemFactory {
    /** Bytes per second that one process may write; all its streams share them. */
    static final String RATE = "fs.slow.bytes-per-second";

    private static final long DEFAULT_RATE = 1 << 20;

    private Throttle throttle = new Throttle(DEFAULT_RATE);

    @Override
    public void configure(Configuration config) {
        // Not config.getString: its variants differ between 1.x and 2.x.
        String rate = config.toMap().get(RATE);
        if (rate != null) {
            throttle = new Throttle(Long.parseLong(rate.trim()));
        }
    }

    @Override
    public String getScheme() {
        return SlowFileSystem.SCHEME;
    }

    @Override
    public FileSystem create(URI uri) {
        return new SlowFileSystem(throttle);
    }
}
