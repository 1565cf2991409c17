package org.flinkadvise.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Prints every ConfigOption that the classes in some jars declare, one tab-separated line each.
 *
 * <p>Usage: java -jar options.jar OUT FOLDER-OR-JAR...
 *
 * <p>Class files are read first, without loading them: only classes that declare a static field of type ConfigOption (or are the
 * module class of a Scala object with such a field) are ever initialised. A class or field that fails is reported on standard
 * error and the rest goes on.
 */
public final class Reflect {
    private static final String OPTION = "org.apache.flink.configuration.ConfigOption";
    private static final String DESCRIPTOR = "Lorg/apache/flink/configuration/ConfigOption;";

    /** What a class file tells about one field, before the class is loaded. */
    private static final class Declared {
        String name;
        boolean isStatic;
        boolean deprecated;
        boolean internal;
        boolean excluded;
        String suffixOf = "";
    }

    /** What a class file tells about a class. */
    private static final class Source extends ClassVisitor {
        final List<Declared> fields = new ArrayList<>();
        final Declared whole = new Declared();
        boolean isScalaObject;
        String name;

        Source() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
            this.name = name.replace('/', '.');
            whole.deprecated = (access & Opcodes.ACC_DEPRECATED) != 0;
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return annotation(whole, descriptor);
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            if (name.equals("MODULE$")) {
                isScalaObject = true;
            }
            if (!descriptor.equals(DESCRIPTOR)) {
                return null;
            }
            Declared d = new Declared();
            d.name = name;
            d.isStatic = (access & Opcodes.ACC_STATIC) != 0;
            d.deprecated = (access & Opcodes.ACC_DEPRECATED) != 0;
            fields.add(d);
            return new FieldVisitor(Opcodes.ASM9) {
                @Override
                public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
                    return annotation(d, descriptor);
                }
            };
        }

        private static AnnotationVisitor annotation(Declared d, String descriptor) {
            switch (descriptor.substring(descriptor.lastIndexOf('/') + 1)) {
                case "Deprecated;":
                    d.deprecated = true;
                    return null;
                case "Internal;":
                    d.internal = true;
                    return null;
                case "Documentation$ExcludeFromDocumentation;":
                    d.excluded = true;
                    return null;
                case "Documentation$SuffixOption;":
                    return new AnnotationVisitor(Opcodes.ASM9) {
                        @Override
                        public void visit(String name, Object value) {
                            d.suffixOf = value.toString();
                        }
                    };
                default:
                    return null;
            }
        }

        List<Declared> readable() {
            return fields.stream().filter(f -> f.isStatic || isScalaObject).collect(Collectors.toList());
        }
    }

    private final Map<String, Source> sources = new TreeMap<>();
    private final Map<String, String> jars = new TreeMap<>();
    private final List<URL> urls = new ArrayList<>();
    private final Path scratch;
    private int rows;
    private int failures;

    private Reflect(Path scratch) {
        this.scratch = scratch;
    }

    public static void main(String[] args) throws Exception {
        Path scratch = Files.createTempDirectory("options");
        Reflect r = new Reflect(scratch);
        for (int i = 1; i < args.length; i++) {
            try (Stream<Path> walk = Files.walk(Path.of(args[i]))) {
                for (Path jar : walk.filter(p -> p.toString().endsWith(".jar")).sorted().collect(Collectors.toList())) {
                    r.scan(jar, jar.getFileName().toString());
                }
            }
        }
        try (PrintStream out = new PrintStream(Files.newOutputStream(Path.of(args[0])), false, StandardCharsets.UTF_8)) {
            r.print(out);
        }
        System.err.printf("classes %d options %d failures %d%n", r.sources.size(), r.rows, r.failures);
        try (Stream<Path> walk = Files.walk(scratch)) {
            walk.sorted((a, b) -> b.compareTo(a)).forEach(p -> p.toFile().delete());
        }
        // Flink classes may have started threads in their static initialisers.
        System.exit(0);
    }

    /** Reads the class files of a jar; jars inside it (the planner hides in its loader) are unpacked and read too. */
    private void scan(Path jar, String name) throws IOException {
        urls.add(jar.toUri().toURL());
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
                String path = entry.getName();
                if (path.endsWith(".jar")) {
                    Path inner = scratch.resolve(urls.size() + "-" + Path.of(path).getFileName());
                    try (InputStream in = file.getInputStream(entry)) {
                        Files.copy(in, inner);
                    }
                    scan(inner, Path.of(path).getFileName().toString());
                }
                if (!path.startsWith("org/apache/flink/") || !path.endsWith(".class")) {
                    continue;
                }
                byte[] bytes;
                try (InputStream in = file.getInputStream(entry)) {
                    bytes = in.readAllBytes();
                }
                // The descriptor stands in the constant pool of every class with such a field: a cheap sieve before parsing.
                if (!new String(bytes, StandardCharsets.ISO_8859_1).contains(DESCRIPTOR)) {
                    continue;
                }
                Source source = new Source();
                new ClassReader(bytes).accept(source, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                if (!source.readable().isEmpty() && sources.putIfAbsent(source.name, source) == null) {
                    jars.put(source.name, name);
                }
            }
        }
    }

    private void print(PrintStream out) throws Exception {
        ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        Class<?> option = Class.forName(OPTION, true, loader);
        for (Source source : sources.values()) {
            try {
                Class<?> c = Class.forName(source.name, false, loader);
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(c, MethodHandles.lookup());
                for (Declared d : source.readable()) {
                    try {
                        // A handle resolves this one field; reflection would resolve the types of all.
                        Object value;
                        if (d.isStatic) {
                            MethodHandle get = lookup.findStaticGetter(c, d.name, option);
                            value = get.invoke();
                        } else {
                            Object module = lookup.findStaticGetter(c, "MODULE$", c).invoke();
                            value = lookup.findGetter(c, d.name, option).invoke(module);
                        }
                        if (value == null) {
                            fail(source, d.name, "null");
                            continue;
                        }
                        out.println(line(source, d, value, option));
                        rows++;
                    } catch (Throwable t) {
                        fail(source, d.name, t.toString());
                    }
                }
            } catch (Throwable t) {
                fail(source, "*", t.toString());
            }
        }
    }

    private void fail(Source source, String field, String why) {
        failures++;
        System.err.printf("failed\t%s\t%s\t%s\t%s%n", jars.get(source.name), source.name, field, escape(why));
    }

    private String line(Source source, Declared d, Object value, Class<?> option) throws Exception {
        String key = (String) option.getMethod("key").invoke(value);
        Class<?> type = (Class<?>) read(option, value, "clazz");
        boolean isList = (Boolean) read(option, value, "isList");
        Object def = option.getMethod("defaultValue").invoke(value);
        StringBuilder names = new StringBuilder();
        for (Object f : (Iterable<?>) option.getMethod("fallbackKeys").invoke(value)) {
            boolean old = (Boolean) call(f, "isDeprecated");
            names.append(names.length() == 0 ? "" : " ").append(old ? "d:" : "f:").append(escape((String) call(f, "getKey")).replace(" ", "\\s"));
        }
        List<String> flags = new ArrayList<>();
        if (d.deprecated || source.whole.deprecated) {
            flags.add("deprecated");
        }
        if (d.internal) {
            flags.add("internal");
        }
        if (source.whole.internal) {
            flags.add("internal-class");
        }
        if (d.excluded || source.whole.excluded) {
            flags.add("excluded");
        }
        String suffix = d.suffixOf.isEmpty() ? source.whole.suffixOf : d.suffixOf;
        String kind = kind(type);
        List<String> columns =
                List.of(
                        source.name,
                        d.name,
                        escape(key),
                        isList ? "list<" + kind + ">" : kind,
                        values(type),
                        def == null ? "" : "=" + escape(text(def)),
                        names.toString(),
                        String.join(" ", flags),
                        suffix,
                        jars.get(source.name));
        return String.join("\t", columns);
    }

    private static Object read(Class<?> c, Object of, String field) throws Exception {
        Field f = c.getDeclaredField(field);
        f.setAccessible(true);
        return f.get(of);
    }

    private static Object call(Object of, String method) throws Exception {
        Method m = of.getClass().getMethod(method);
        m.setAccessible(true);
        return m.invoke(of);
    }

    private static String kind(Class<?> type) {
        if (type.isEnum()) {
            return "enum";
        }
        switch (type.getName()) {
            case "java.lang.String":
                return "string";
            case "java.lang.Boolean":
                return "boolean";
            case "java.lang.Integer":
                return "int";
            case "java.lang.Long":
                return "long";
            case "java.lang.Float":
                return "float";
            case "java.lang.Double":
                return "double";
            case "java.time.Duration":
                return "duration";
            case "org.apache.flink.configuration.MemorySize":
                return "memory";
            case "java.util.Map":
                return "map";
            default:
                return type.getName();
        }
    }

    private static String values(Class<?> type) {
        if (!type.isEnum()) {
            return "";
        }
        return Stream.of(type.getEnumConstants()).map(Object::toString).collect(Collectors.joining("|"));
    }

    /** The default as text: bytes for sizes, milliseconds (else nanoseconds) for durations, Flink's own list and map notation. */
    private static String text(Object v) throws Exception {
        if (v instanceof Duration) {
            Duration d = (Duration) v;
            return d.getNano() % 1_000_000 == 0 ? d.toMillis() + " ms" : d.toNanos() + " ns";
        }
        if (v.getClass().getName().equals("org.apache.flink.configuration.MemorySize")) {
            return call(v, "getBytes") + " bytes";
        }
        if (v instanceof Collection) {
            List<String> items = new ArrayList<>();
            for (Object o : (Collection<?>) v) {
                items.add(quote(text(o), ";"));
            }
            return String.join(";", items);
        }
        if (v instanceof Map) {
            List<String> items = new ArrayList<>();
            for (Map.Entry<?, ?> e : ((Map<?, ?>) v).entrySet()) {
                items.add(quote(text(e.getKey()), ",:") + ":" + quote(text(e.getValue()), ",:"));
            }
            return String.join(",", items);
        }
        if (v instanceof Class) {
            return ((Class<?>) v).getName();
        }
        return v.toString();
    }

    private static String quote(String s, String special) {
        boolean plain = !s.isEmpty() && s.indexOf('\'') < 0 && s.indexOf('"') < 0;
        for (char c : special.toCharArray()) {
            plain &= s.indexOf(c) < 0;
        }
        return plain ? s : "'" + s.replace("'", "''") + "'";
    }

    private static String escape(String s) {
        return s.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }
}
