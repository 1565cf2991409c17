package conformance;

import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** The Flink on the class path: its version, and calls whose signatures or visibility differ between versions. */
final class Flink {
    private Flink() {}

    static String version() {
        return EnvironmentInformation.getVersion();
    }

    static boolean atLeast(int major, int minor) {
        return Vectors.compareVersions(version(), major + "." + minor) >= 0;
    }

    /** Names the two jars that hold nearly everything that is called here, with the first bytes of their SHA-256. */
    static String jars() throws Exception {
        return jar(TaskExecutorProcessUtils.class) + " " + jar(Configuration.class);
    }

    private static String jar(Class<?> c) throws Exception {
        Path p = Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI());
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        try (InputStream in = Files.newInputStream(p)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                sha.update(buffer, 0, n);
            }
        }
        return p.getFileName() + "@" + HexFormat.of().formatHex(sha.digest(), 0, 8);
    }

    /** Calls the static method of that name and number of arguments; throws what the method throws. */
    static Object callStatic(Class<?> c, String name, Object... args) throws Exception {
        return invoke(method(c, name, args.length), null, args);
    }

    /** The same for a method of an object. */
    static Object call(Object target, String name, Object... args) throws Exception {
        return invoke(method(target.getClass(), name, args.length), target, args);
    }

    static Object invoke(Method m, Object target, Object... args) throws Exception {
        try {
            return m.invoke(target, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception) {
                throw (Exception) e.getCause();
            }
            throw e;
        }
    }

    static Method method(Class<?> c, String name, int arity) throws NoSuchMethodException {
        for (Class<?> k = c; k != null; k = k.getSuperclass()) {
            for (Method m : k.getDeclaredMethods()) {
                if (m.getName().equals(name) && m.getParameterCount() == arity && !m.isBridge()) {
                    m.setAccessible(true);
                    return m;
                }
            }
        }
        throw new NoSuchMethodException(c + "." + name + "/" + arity + " in " + version());
    }

    static boolean hasMethod(Class<?> c, String name) {
        return Arrays.stream(c.getDeclaredMethods()).anyMatch(m -> m.getName().equals(name));
    }

    static Object create(Class<?> c, Object... args) throws Exception {
        for (Constructor<?> k : c.getDeclaredConstructors()) {
            if (k.getParameterCount() == args.length) {
                k.setAccessible(true);
                try {
                    return k.newInstance(args);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof Exception) {
                        throw (Exception) e.getCause();
                    }
                    throw e;
                }
            }
        }
        throw new NoSuchMethodException(c + "/" + args.length);
    }

    static Object constant(Class<?> c, String name) throws Exception {
        Field f = c.getDeclaredField(name);
        f.setAccessible(true);
        return f.get(null);
    }

    static Class<?> find(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
