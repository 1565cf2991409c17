package io.github.flinkadvise.experiments;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import org.apache.flink.core.fs.BlockLocation;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemKind;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local file system under another scheme, with writes held to a rate. Reads are not throttled. */
final class SlowFileSystem extends FileSystem {
    static final String SCHEME = "slow";

    /** Written in pieces of this size, so that a closed stream stops soon. */
    private static final int PIECE = 4096;

    private final Throttle throttle;
    private final LocalFileSystem local = new LocalFileSystem();

    SlowFileSystem(Throttle throttle) {
        this.throttle = throttle;
    }

    private static Path onDisk(Path path) {
        return new Path("file", null, path.toUri().getPath());
    }

    private static Path onLine(Path path) {
        return new Path(SCHEME, null, path.toUri().getPath());
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        return new SlowStream(local.create(onDisk(path), mode), throttle);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return local.open(onDisk(path), bufferSize);
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
        return local.open(onDisk(path));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return new SlowStatus(local.getFileStatus(onDisk(path)));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        FileStatus[] found = local.listStatus(onDisk(path));
        if (found == null) {
            return null;
        }
        FileStatus[] statuses = new FileStatus[found.length];
        for (int i = 0; i < found.length; i++) {
            statuses[i] = new SlowStatus(found[i]);
        }
        return statuses;
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
        return new BlockLocation[0];
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return local.delete(onDisk(path), recursive);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        return local.mkdirs(onDisk(path));
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return local.rename(onDisk(from), onDisk(to));
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return local.exists(onDisk(path));
    }

    @Override
    public boolean isDistributedFS() {
        return true;
    }

    /** Abstract in 1.x and absent from 2.x. */
    @Override
    public FileSystemKind getKind() {
        return FileSystemKind.FILE_SYSTEM;
    }

    @Override
    public Path getWorkingDirectory() {
        return onLine(local.getWorkingDirectory());
    }

    @Override
    public Path getHomeDirectory() {
        return onLine(local.getHomeDirectory());
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }

    private static final class SlowStatus implements FileStatus {
        private final FileStatus status;

        SlowStatus(FileStatus status) {
            this.status = status;
        }

        @Override
        public long getLen() {
            return status.getLen();
        }

        @Override
        public long getBlockSize() {
            return status.getBlockSize();
        }

        @Override
        public short getReplication() {
            return status.getReplication();
        }

        @Override
        public long getModificationTime() {
            return status.getModificationTime();
        }

        @Override
        public long getAccessTime() {
            return status.getAccessTime();
        }

        @Override
        public boolean isDir() {
            return status.isDir();
        }

        @Override
        public Path getPath() {
            return onLine(status.getPath());
        }
    }

    private static final class SlowStream extends FSDataOutputStream {
        private final FSDataOutputStream out;
        private final Throttle throttle;

        SlowStream(FSDataOutputStream out, Throttle throttle) {
            this.out = out;
            this.throttle = throttle;
        }

        private void await(int bytes) throws IOException {
            try {
                throttle.take(bytes);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while writing");
            }
        }

        @Override
        public void write(int value) throws IOException {
            await(1);
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length; done += PIECE) {
                int piece = Math.min(PIECE, length - done);
                await(piece);
                out.write(bytes, offset + done, piece);
            }
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void sync() throws IOException {
            out.sync();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
