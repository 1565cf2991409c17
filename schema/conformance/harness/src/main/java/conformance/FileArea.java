package conformance;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;

/**
 * Whole files. Input: the loader ("flat": flink-conf.yaml, up to 1.20; "yaml": config.yaml, from 1.19) and the bytes. Output:
 * "ok" and, per key in order, the key, the Java type of its value, the value's toString, and what a String option reads; or
 * "unloadable" with the classes of the exception and its causes, and the kind of fault.
 */
final class FileArea implements Area {
    private static final int FLAT = 1500;
    private static final int YAML = 2600;

    /** Bytes as Latin-1, so that equal files are equal. */
    record ConfigFile(String loader, String latin1) {
        byte[] bytes() {
            return latin1.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    @Override
    public String name() {
        return "files";
    }

    @Override
    public List<Input> inputs(long seed) {
        Random r = new Random(seed + 2);
        Set<ConfigFile> all = new LinkedHashSet<>();
        for (String text : HandPicked.FLAT_FILES) {
            all.add(file("flat", text));
        }
        for (String text : HandPicked.YAML_FILES) {
            all.add(file("yaml", text));
            all.add(file("flat", text));
        }
        for (int wanted = all.size() + FLAT; all.size() < wanted; ) {
            all.add(file("flat", mutate(r, flat(r), r.nextInt(3))));
        }
        for (int wanted = all.size() + YAML; all.size() < wanted; ) {
            all.add(file("yaml", mutate(r, yaml(r), r.nextInt(2) == 0 ? 0 : 1 + r.nextInt(2))));
        }
        return all.stream().map(f -> new Input(f.loader + "\t" + Vectors.bytes(f.bytes()), f)).collect(Collectors.toList());
    }

    private static ConfigFile file(String loader, String text) {
        return new ConfigFile(loader, new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    }

    private static <X> X pick(Random r, X[] from) {
        return from[r.nextInt(from.length)];
    }

    private static final String[] KEYS = {
        "taskmanager.memory.process.size", "taskmanager.numberOfTaskSlots", "parallelism.default", "state.backend.type", "state.backend", "state.checkpoints.dir", "rest.port", "rest.address",
        "high-availability", "high-availability.storageDir", "metrics.reporter.prom.factory.class", "env.java.opts.all", "execution.checkpointing.interval", "jobmanager.rpc.address",
        "pipeline.max-parallelism", "classloader.parent-first-patterns.additional", "table.exec.mini-batch.enabled", "a", "a.b", "a.b.c", "b", "x y", "security.ssl.rest.key-password", "$internal.x"};
    private static final String[] VALUES = {
        "4", "true", "false", "1728m", "4 gb", "10 min", "1.5", "rocksdb", "hdfs://nn:8020/flink", "s3://bucket/path", "localhost", "0.0.0.0", "-Dx=y -XX:+UseG1GC", "a;b;c", "k1:v1,k2:v2",
        "\"quoted\"", "'single'", "\"a # b\"", "'it''s'", "\"tab\\tend\"", "10s", "1.20", "010", "0x1F", "0o17", "1e3", ".5", "1.", "+5", "-0", "1_000", "12e4567", ".inf", "-.INF", ".nan", "~", "null", "Null",
        "yes", "NO", "On", "True", "FALSE", "2024-01-01", "10:30", "[a, b]", "[]", "{}", "{x: 1, y: 2}", "[1, 2.0, true, null]", "*:*", "@at", "%p", "`tick`", "!tag", "&anchor v", "*alias", "| ", ">", "- x", "? x",
        "http://h:1/p: x", "x#y", "x #y", "# only", "\"open", "'open", "${HOME}", "a: b", "é", "\u00a0v\u00a0", "日本", "😀", "9223372036854775807", "9223372036854775808", "2147483648", "-2147483649", "00", "0.0", "1.0E10",
        "!!str 123", "!!int \"7\"", "\"\\u00e9\"", "\"a\\\n  b\"", "",  "", "{a.b: 1}", "'a' b", "a, b", "[a; b]", "x]", "}x", "a\tb", "=", "<<", "-", "--", "-.5", "...", "a:b", ":", ":x", "x:"};

    // ---- flat files ----

    private static String flat(Random r) {
        String end = pick(r, new String[] {"\n", "\n", "\n", "\n", "\r\n", "\r"});
        StringBuilder s = new StringBuilder(r.nextInt(25) == 0 ? "\ufeff" : "");
        for (int n = 1 + r.nextInt(7); n > 0; n--) {
            s.append(r.nextInt(8) == 0 ? pick(r, new String[] {" ", "  ", "\t", "- ", "\u00a0"}) : "");
            switch (r.nextInt(14)) {
                case 0:
                    s.append(pick(r, new String[] {"# a comment", "#", "", "---", "...", "{}", "just words", "%YAML 1.2", ": x", "  # x: y", "key only:"}));
                    break;
                default:
                    s.append(pick(r, KEYS)).append(pick(r, new String[] {": ", ": ", ": ", ": ", ": ", ": ", ": ", ":", ":  ", ":\t", " : ", "=", " = ", "::", ":: ", ":\u00a0"})).append(pick(r, VALUES));
                    s.append(r.nextInt(8) == 0 ? pick(r, new String[] {" # note", "# note", " ", "\t", "  #", "\u0001"}) : "");
            }
            s.append(n > 1 || r.nextInt(6) > 0 ? end : "");
        }
        return s.toString();
    }

    // ---- YAML files ----

    private static String yaml(Random r) {
        String end = r.nextInt(12) == 0 ? "\r\n" : "\n";
        StringBuilder s = new StringBuilder(r.nextInt(25) == 0 ? "\ufeff" : "");
        if (r.nextInt(12) == 0) {
            s.append(pick(r, new String[] {"---\n", "--- # start\n", "%YAML 1.2\n---\n", "# head\n\n", "---\n---\n", "...\n"}));
        }
        block(r, s, "", 0);
        if (r.nextInt(25) == 0) {
            s.append(pick(r, new String[] {"---\n", "...\n", "---\nz: 1\n", "...\nz: 1\n", "# tail", "\t", "  "}));
        }
        String text = s.toString().replace("\n", end);
        return r.nextInt(10) == 0 ? text.stripTrailing() : text;
    }

    private static final String[] SAFE_VALUES = {
        "4", "true", "false", "1728m", "4 gb", "10 min", "1.5", "rocksdb", "hdfs://nn:8020/flink", "localhost", "-Dx=y -XX:+UseG1GC", "a;b;c", "k1:v1,k2:v2", "\"quoted\"", "'single'", "\"a # b\"", "'it''s'",
        "1.20", "010", "0x1F", "0o17", "1e3", ".5", "1.", "yes", "True", "2024-01-01", "10:30", "[a, b]", "[]", "{}", "{x: 1, y: 2}", "[1, 2.0, true]", "x#y", "x #y", "${HOME}", "é", "日本", "😀", "9223372036854775807",
        "9223372036854775808", "2147483648", "!!str 123", "\"\\u00e9\\t\\x41\"", "''", "\"\"", "[{name: a, value: b}, {name: c}]", "[[1, 2], [3]]", "{p: {q: r}}", "a:b", "[a:b, 'c: d']", "1_000", "+5", "12e4567", ".inf"};

    private static void block(Random r, StringBuilder s, String indent, int depth) {
        String[] nested = {"taskmanager", "jobmanager", "memory", "rpc", "metrics", "reporter", "state", "checkpoints", "env", "java", "opts", "a", "b", "c", "process", "high-availability"};
        Set<String> used = new LinkedHashSet<>();
        for (int n = 1 + r.nextInt(depth == 0 ? 6 : 3); n > 0; n--) {
            String key = depth == 0 && r.nextInt(3) > 0 ? pick(r, KEYS) : pick(r, nested);
            if (!used.add(key) && r.nextInt(12) > 0) {
                continue;
            }
            if (r.nextInt(14) == 0) {
                key = pick(r, new String[] {"\"" + key + "\"", "'" + key + "'", key + " ", "1", "true", "1.5", "null", "~", "? " + key, "[a]", "!!str " + key, "&k " + key, "", "-", key + "#", "a: b"});
            }
            s.append(r.nextInt(30) == 0 ? indent + "# note\n" : "").append(indent).append(key).append(':');
            switch (r.nextInt(depth < 3 ? 12 : 8)) {
                case 0:
                    s.append(' ').append(pick(r, VALUES)).append('\n');
                    break;
                case 1:
                    s.append(pick(r, new String[] {" |", " >", " |-", " >-", " |+", " >+", " |2", " | # c"})).append('\n');
                    for (int i = r.nextInt(4); i > 0; i--) {
                        s.append(r.nextInt(6) == 0 ? "" : indent + "  " + pick(r, new String[] {"line one", "  deeper", "x: y", "# text", "- item", "end "})).append('\n');
                    }
                    break;
                case 2:
                    s.append('\n');
                    String itemIndent = indent + pick(r, new String[] {"", "  ", "    "});
                    for (int i = 1 + r.nextInt(3); i > 0; i--) {
                        s.append(itemIndent).append("- ").append(pick(r, SAFE_VALUES)).append(r.nextInt(10) == 0 ? " # c" : "").append('\n');
                    }
                    break;
                case 3:
                    String name = pick(r, new String[] {"x", "y"});
                    s.append(r.nextInt(4) > 0 || s.indexOf("&" + name + " ") < 0 && r.nextInt(4) > 0 ? " &" + name + " " + pick(r, SAFE_VALUES) : " *" + name).append('\n');
                    break;
                case 8:
                case 9:
                case 10:
                case 11:
                    s.append(r.nextInt(15) == 0 ? " # c" : "").append('\n');
                    block(r, s, indent + pick(r, new String[] {"  ", "  ", "  ", "    ", " "}), depth + 1);
                    break;
                default:
                    s.append(' ').append(pick(r, SAFE_VALUES)).append(r.nextInt(10) == 0 ? " # c" : "").append('\n');
            }
        }
    }

    // ---- damage ----

    private static String mutate(Random r, String text, int times) {
        String[] bits = {"\t", " ", "  ", "\n", ":", ": ", " :", "#", " #", "'", "\"", "-", "- ", "?", "[", "]", "{", "}", ",", "&a ", "*a", "!", "|", ">", "%", "@", "`", "\\", "\u00a0", "é", "\u0000", "\u0007", "\u0085", "\u2028", "\ufeff", "---\n", "=", "x", "0", "<<: "};
        StringBuilder s = new StringBuilder(text);
        for (int i = 0; i < times && s.length() > 0; i++) {
            int at = r.nextInt(s.length());
            switch (r.nextInt(4)) {
                case 0:
                    s.deleteCharAt(at);
                    break;
                case 1:
                    s.replace(at, at + 1, pick(r, bits));
                    break;
                case 2:
                    int to = Math.min(s.length(), at + r.nextInt(12));
                    s.insert(r.nextInt(s.length()), s.substring(at, to));
                    break;
                default:
                    s.insert(at, pick(r, bits));
            }
        }
        return s.toString();
    }

    // ---- what Flink answers ----

    private static Path folder;

    /** One scratch folder, in memory where the machine has such a place. */
    static Path folder() throws Exception {
        if (folder == null) {
            Path shm = Path.of("/dev/shm");
            folder = Files.isWritable(shm) ? Files.createTempDirectory(shm, "conformance") : Files.createTempDirectory("conformance");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                for (String n : new String[] {"flink-conf.yaml", "config.yaml", ""}) {
                    folder.resolve(n).toFile().delete();
                }
            }));
        }
        return folder;
    }

    @Override
    public String answer(Input input) throws Exception {
        ConfigFile f = (ConfigFile) input.value();
        boolean flat = f.loader.equals("flat");
        if (flat ? Flink.atLeast(2, 0) : !Flink.atLeast(1, 19)) {
            return null;
        }
        Path dir = folder();
        Files.deleteIfExists(dir.resolve(flat ? "config.yaml" : "flink-conf.yaml"));
        Files.write(dir.resolve(flat ? "flink-conf.yaml" : "config.yaml"), f.bytes());
        Configuration conf;
        try {
            conf = GlobalConfiguration.loadConfiguration(dir.toString());
        } catch (Exception | StackOverflowError e) {
            return Vectors.line("unloadable", chain(e), kind(e));
        }
        Field data = Configuration.class.getDeclaredField("confData");
        data.setAccessible(true);
        @SuppressWarnings("unchecked")
        Map<String, Object> raw = new TreeMap<>((Map<String, Object>) data.get(conf));
        List<String> out = new ArrayList<>(List.of("ok"));
        for (Map.Entry<String, Object> e : raw.entrySet()) {
            Object v = e.getValue();
            String read;
            try {
                read = conf.get(ConfigOptions.key(e.getKey()).stringType().noDefaultValue());
            } catch (Exception x) {
                read = "refused " + chain(x);
            }
            out.addAll(List.of(e.getKey(), v.getClass().getSimpleName(), v instanceof byte[] ? Base64.getEncoder().encodeToString((byte[]) v) : v.toString(), read));
        }
        return Vectors.line(out);
    }

    static String chain(Throwable e) {
        StringBuilder s = new StringBuilder();
        for (Throwable t = e; t != null; t = t.getCause()) {
            s.append(s.length() == 0 ? "" : " < ").append(t.getClass().getSimpleName());
        }
        return s.toString();
    }

    private static final String[][] KINDS = {
        {"Value must not be null", "empty value"},
        {"Key must not be null", "empty key"},
        {"duplicate key", "duplicate key"},
        {"expected a single document", "second document"},
        {"mapping values are not allowed", "mapping value not allowed"},
        {"cannot be cast to class java.util.Map", "not a mapping"},
        {"cannot be cast to class java.lang.String", "key is no text"},
        {"found undefined alias", "undefined alias"},
        {"could not determine a constructor for the tag", "unknown tag"},
        {"special characters are not allowed", "special character"},
        {"MalformedInput", "not UTF-8"},
        {"cannot start any token", "character cannot start a token"},
        {"", "syntax"}};

    private static String kind(Throwable e) {
        StringBuilder messages = new StringBuilder();
        for (Throwable t = e; t != null; t = t.getCause()) {
            messages.append(t).append('\n');
        }
        for (String[] k : KINDS) {
            if (messages.indexOf(k[0]) >= 0) {
                return k[1];
            }
        }
        throw new IllegalStateException();
    }
}
