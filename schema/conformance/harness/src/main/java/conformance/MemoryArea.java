package conformance;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.taskexecutor.TaskExecutorResourceUtils;
import org.apache.flink.runtime.taskmanager.NettyShuffleEnvironmentConfiguration;
import org.apache.flink.runtime.util.ConfigurationParserUtils;

/**
 * Process memory. Input: "tm" or "jm"; who computes ("standalone": the start scripts; "native": Kubernetes and YARN, with
 * legacy heap keys mapped to the process size); then key=value pairs.
 */
final class MemoryArea implements Area {
    private static final int RANDOM_INPUTS = 6000;
    private static final String T = "taskmanager.memory.";
    private static final String J = "jobmanager.memory.";

    record Config(String process, String launcher, Map<String, String> options) {}

    @Override
    public String name() {
        return "memory";
    }

    // ---- what is asked ----

    @Override
    public List<Input> inputs(long seed) {
        Set<Config> all = new LinkedHashSet<>();
        for (String line : HandPicked.MEMORY) {
            Map<String, String> options = new LinkedHashMap<>();
            String[] f = line.split(";");
            for (int i = 2; i < f.length; i++) {
                int eq = f[i].indexOf('=');
                options.put(f[i].substring(0, eq), f[i].substring(eq + 1));
            }
            all.add(new Config(f[0], f[1], options));
        }
        int wanted = all.size() + RANDOM_INPUTS;
        Random random = new Random(seed);
        while (all.size() < wanted) {
            boolean tm = random.nextInt(10) < 7;
            String launcher = random.nextInt(tm ? 3 : 4) == 0 ? "native" : "standalone";
            all.add(new Config(tm ? "tm" : "jm", launcher, tm ? taskManager(random) : jobManager(random)));
        }
        return all.stream().map(c -> {
            List<String> f = new ArrayList<>(List.of(c.process, c.launcher));
            c.options.forEach((k, v) -> f.add(k + "=" + v));
            return new Input(Vectors.line(f), c);
        }).collect(Collectors.toList());
    }

    /** A size of about so many bytes, written in one of the ways people write sizes. */
    private static String size(Random r, double bytes) {
        long b = (long) Math.max(0, bytes);
        switch (r.nextInt(14)) {
            case 0:
                return Long.toString(b);
            case 1:
                return b + "b";
            case 2:
                return (b >> 10) + "k";
            case 3:
                return (b >> 10) + " kb";
            case 4:
                return Math.max(1, b >> 30) + "g";
            case 5:
                return Math.max(1, b >> 30) + " GB";
            case 6:
                return (b >> 20) + " mb";
            case 7:
                return (b >> 20) + "Mebibytes";
            case 8:
                return (b >> 20) + "MB";
            case 9:
                return (b >> 20) / 64 * 64 + "m";
            default:
                return (b >> 20) + "m";
        }
    }

    private static final String[] ODD_SIZES = {
        "0", "1", "abc", "1.5g", "2Gi", "-1", "1_000m", "1e9", "10%", "16777216t", "8388607t", "8388608t", "9223372036854775807", "9223372036854775808",
        "4 g b", "512 MiB", "1024 mebibytes", "3Gibibytes", "1t", "2 TB", "+1g", "0x10m", "1g 512m", "7kibibytes", "1 bytes", "128 M"};

    private static final String[] ODD_FRACTIONS = {
        "0", "1", "1.0", "-0.1", "0.99", "0.999999", "1e-3", "0.4f", "NaN", "Infinity", "0,5", "50%", "abc", "0.30000001", "0x1p-2", ".5", "2", "0.1d", "1e-30", "0.9999999999"};

    private static void maybe(Random r, double chance, Map<String, String> c, String key, String value) {
        if (r.nextDouble() < chance) {
            c.put(key, value);
        }
    }

    private static String fraction(Random r, double around) {
        double f = Math.min(0.97, around * (0.3 + 1.4 * r.nextDouble()));
        switch (r.nextInt(5)) {
            case 0:
                return Double.toString(f);
            case 1:
                return Float.toString((float) f);
            default:
                return Double.toString(Math.round(f * 100) / 100.0);
        }
    }

    /** From 256 MiB to 256 GiB, small ones as likely as large ones. */
    private static double total(Random r) {
        return Math.pow(2, 28 + 10 * r.nextDouble());
    }

    private static void spoil(Random r, Map<String, String> c, String[] memoryKeys, String[] fractionKeys) {
        if (r.nextInt(7) == 0) {
            c.put(memoryKeys[r.nextInt(memoryKeys.length)], ODD_SIZES[r.nextInt(ODD_SIZES.length)]);
        }
        if (r.nextInt(8) == 0) {
            c.put(fractionKeys[r.nextInt(fractionKeys.length)], ODD_FRACTIONS[r.nextInt(ODD_FRACTIONS.length)]);
        }
    }

    private static void overhead(Random r, Map<String, String> c, String prefix, double total) {
        maybe(r, 0.12, c, prefix + "jvm-metaspace.size", size(r, (64 << 20) + r.nextInt(768) * (double) (1 << 20)));
        maybe(r, 0.12, c, prefix + "jvm-overhead.fraction", fraction(r, 0.15));
        maybe(r, 0.10, c, prefix + "jvm-overhead.min", size(r, Math.min(total * 0.05, 3e8) * r.nextDouble()));
        maybe(r, 0.12, c, prefix + "jvm-overhead.max", size(r, total * (0.1 + r.nextDouble())));
    }

    private static Map<String, String> taskManager(Random r) {
        Map<String, String> c = new LinkedHashMap<>();
        double total = total(r);
        int mode = r.nextInt(20);
        boolean process = mode < 8 || mode == 15 || mode == 16 || mode == 18;
        boolean flink = mode >= 8 && mode < 12 || mode == 15 || mode == 17;
        boolean fine = mode >= 12 && mode < 15 || mode == 16 || mode == 17;
        if (process) {
            c.put(T + "process.size", size(r, mode == 15 || mode == 16 ? total * (1.05 + r.nextDouble() * 0.35) + 3e8 : total));
        }
        if (flink) {
            c.put(T + "flink.size", size(r, mode == 17 ? total * (0.8 + r.nextDouble()) : total));
        }
        if (fine) {
            c.put(T + "task.heap.size", size(r, total * (0.2 + 0.4 * r.nextDouble())));
            c.put(r.nextInt(8) == 0 ? "taskmanager.memory.size" : T + "managed.size", size(r, total * 0.4 * r.nextDouble()));
        } else {
            maybe(r, 0.15, c, T + "task.heap.size", size(r, total * (0.1 + 0.5 * r.nextDouble())));
            maybe(r, 0.12, c, T + "managed.size", size(r, total * 0.6 * r.nextDouble()));
        }
        maybe(r, 0.18, c, T + "managed.fraction", fraction(r, 0.4));
        maybe(r, 0.03, c, "taskmanager.memory.size", size(r, total * 0.3));
        maybe(r, 0.10, c, T + "task.off-heap.size", size(r, total * 0.15 * r.nextDouble()));
        maybe(r, 0.08, c, T + "framework.heap.size", size(r, 2.5e8 * r.nextDouble()));
        maybe(r, 0.08, c, T + "framework.off-heap.size", size(r, 2.5e8 * r.nextDouble()));
        String network = r.nextInt(4) == 0 ? "taskmanager.network.memory." : T + "network.";
        maybe(r, 0.15, c, network + "fraction", fraction(r, 0.12));
        if (r.nextInt(8) == 0) {
            String exact = size(r, total * 0.2 * r.nextDouble());
            c.put(network + "min", exact);
            c.put(network + "max", exact);
        } else {
            maybe(r, 0.10, c, network + "min", size(r, total * 0.1 * r.nextDouble()));
            maybe(r, 0.12, c, network + "max", size(r, total * (0.05 + 0.5 * r.nextDouble())));
        }
        maybe(r, 0.02, c, (network.equals(T + "network.") ? "taskmanager.network.memory." : T + "network.") + "max", size(r, total * 0.3));
        maybe(r, 0.06, c, "taskmanager.network.numberOfBuffers", Integer.toString(r.nextInt(10) == 0 ? r.nextInt(5) - 1 : r.nextInt(20000)));
        overhead(r, c, T, total);
        maybe(r, 0.08, c, "taskmanager.heap.size", r.nextInt(6) == 0 ? "1024" : size(r, total));
        maybe(r, 0.06, c, "taskmanager.heap.mb", r.nextInt(8) == 0 ? "-5" : Integer.toString((int) (total / (1 << 20))));
        maybe(r, 0.45, c, "taskmanager.numberOfTaskSlots", r.nextInt(20) == 0 ? new String[] {"0", "-1", "-2", "two", "1.0", "2 "}[r.nextInt(6)] : Integer.toString(1 + r.nextInt(r.nextInt(3) == 0 ? 64 : 8)));
        maybe(r, 0.12, c, "taskmanager.cpu.cores", r.nextInt(8) == 0 ? new String[] {"0", "-1", "many", "1e1", "NaN"}[r.nextInt(5)] : new String[] {"1", "2.0", "0.5", "16", "7.3", "10", "100"}[r.nextInt(7)]);
        maybe(r, 0.08, c, "kubernetes.taskmanager.cpu", new String[] {"1", "2.5", "0.25", "0", "-1"}[r.nextInt(5)]);
        maybe(r, 0.08, c, "kubernetes.taskmanager.cpu.amount", new String[] {"4", "1.5", "0.75", "8.0"}[r.nextInt(4)]);
        maybe(r, 0.08, c, T + "segment-size", new String[] {"16kb", "64kb", "4096", "8k", "4095", "5000", "1m", "2048", "32 kb"}[r.nextInt(9)]);
        spoil(r, c, new String[] {T + "process.size", T + "flink.size", T + "task.heap.size", T + "managed.size", T + "network.min", T + "network.max", T + "jvm-metaspace.size",
            T + "jvm-overhead.min", T + "jvm-overhead.max", T + "framework.heap.size", T + "task.off-heap.size", T + "framework.off-heap.size"},
            new String[] {T + "managed.fraction", T + "network.fraction", T + "jvm-overhead.fraction"});
        return c;
    }

    private static Map<String, String> jobManager(Random r) {
        Map<String, String> c = new LinkedHashMap<>();
        double total = total(r);
        int mode = r.nextInt(12);
        boolean process = mode < 4 || mode == 8 || mode == 9;
        boolean flink = mode >= 4 && mode < 6 || mode == 8 || mode == 10;
        boolean heap = mode >= 6 && mode < 8 || mode == 9 || mode == 10;
        double heapBytes = total * (0.4 + 0.5 * r.nextDouble());
        double offHeap = 128 << 20;
        if (process) {
            c.put(J + "process.size", size(r, mode == 8 || mode == 9 ? total * (1.05 + r.nextDouble() * 0.3) + 4e8 : total));
        }
        if (r.nextInt(4) == 0) {
            offHeap = Math.floor(total * 0.3 * r.nextDouble() / (1 << 20)) * (1 << 20);
            c.put(J + "off-heap.size", r.nextBoolean() ? (long) offHeap + "b" : size(r, offHeap));
        }
        if (heap) {
            heapBytes = Math.floor(heapBytes / (1 << 20)) * (1 << 20);
            c.put(J + "heap.size", r.nextBoolean() ? (long) heapBytes + "" : size(r, heapBytes));
        }
        if (flink) {
            c.put(J + "flink.size", mode == 10 && r.nextBoolean() ? (long) (heapBytes + offHeap) + "b" : size(r, total));
        }
        overhead(r, c, J, total);
        maybe(r, 0.10, c, J + "enable-jvm-direct-memory-limit", new String[] {"true", "false", "TRUE", "yes"}[r.nextInt(4)]);
        maybe(r, 0.09, c, "jobmanager.heap.size", r.nextInt(6) == 0 ? "1024" : size(r, total * 0.7));
        maybe(r, 0.06, c, "jobmanager.heap.mb", r.nextInt(8) == 0 ? "-5" : Integer.toString((int) (total / (1 << 20))));
        spoil(r, c, new String[] {J + "process.size", J + "flink.size", J + "heap.size", J + "off-heap.size", J + "jvm-metaspace.size", J + "jvm-overhead.min", J + "jvm-overhead.max"},
            new String[] {J + "jvm-overhead.fraction"});
        return c;
    }

    // ---- what Flink answers ----

    @Override
    public String answer(Input input) throws Exception {
        Config c = (Config) input.value();
        Configuration conf = new Configuration();
        c.options.forEach(conf::setString);
        boolean scripts = c.launcher.equals("standalone");
        if (c.process.equals("jm")) {
            return Flink.atLeast(1, 11) ? jobManager(conf, scripts) : null;
        }
        if (!scripts && !Flink.atLeast(1, 13)) {
            return null;
        }
        return taskManager(conf, scripts);
    }

    private static long[] bytes(Object... sizes) {
        return Arrays.stream(sizes).mapToLong(s -> ((MemorySize) s).getBytes()).toArray();
    }

    private static String join(long[] numbers) {
        return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    /** The -D pairs in the order of their keys; Flink prints them in hash order. */
    private static String pairs(String dynamicConfigs) {
        String[] words = dynamicConfigs.trim().split("-D ");
        return Arrays.stream(words).map(String::trim).filter(w -> !w.isEmpty()).sorted().collect(Collectors.joining(" "));
    }

    private static String taskManager(Configuration given, boolean scripts) throws Exception {
        TaskExecutorProcessSpec spec;
        try {
            Configuration conf = given;
            if (!Flink.atLeast(2, 0)) {
                conf = (Configuration) Flink.callStatic(TaskExecutorProcessUtils.class, "getConfigurationMapLegacyTaskManagerHeapSizeToConfigOption", given,
                    scripts ? TaskManagerOptions.TOTAL_FLINK_MEMORY : TaskManagerOptions.TOTAL_PROCESS_MEMORY);
            }
            if (scripts) {
                spec = TaskExecutorProcessUtils.processSpecFromConfig(conf);
            } else {
                double cpu = Double.parseDouble(conf.toMap().getOrDefault(Flink.atLeast(1, 17) && conf.toMap().containsKey("kubernetes.taskmanager.cpu.amount")
                    ? "kubernetes.taskmanager.cpu.amount" : "kubernetes.taskmanager.cpu", "-1"));
                spec = (TaskExecutorProcessSpec) Flink.callStatic(Flink.find("conformance.NativeKubernetes"), "derive", conf, cpu);
            }
        } catch (Exception e) {
            return refusal(e);
        }
        String jvm = (String) (Flink.atLeast(1, 11)
            ? Flink.callStatic(Flink.find("org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils"), "generateJvmParametersStr", spec)
            : Flink.callStatic(TaskExecutorProcessUtils.class, "generateJvmParametersStr", spec));
        String dynamic = TaskExecutorProcessUtils.generateDynamicConfigsStr(spec);

        // The TaskManager itself starts with the file and, on top, what its launcher passed.
        Configuration running = new Configuration(given);
        Matcher pair = Pattern.compile("-D (\\S+?)=(\\S+)").matcher(dynamic);
        while (pair.find()) {
            running.setString(pair.group(1), pair.group(2));
        }
        String profile;
        String buffers;
        try {
            int slots = ConfigurationParserUtils.getSlot(running);
            Object resources = Flink.callStatic(TaskExecutorResourceUtils.class, "resourceSpecFromConfig", running);
            profile = Flink.callStatic(TaskExecutorResourceUtils.class, "generateDefaultSlotResourceProfile", resources, slots).toString();
        } catch (Exception e) {
            profile = refusal(e);
        }
        try {
            buffers = Integer.toString(NettyShuffleEnvironmentConfiguration.fromConfiguration(running, spec.getNetworkMemSize(), false, InetAddress.getLoopbackAddress()).numNetworkBuffers());
        } catch (Exception e) {
            buffers = refusal(e);
        }
        return Vectors.line("ok",
            join(bytes(Flink.call(spec, "getFrameworkHeapSize"), spec.getTaskHeapSize(), Flink.call(spec, "getFrameworkOffHeapMemorySize"), spec.getTaskOffHeapSize(), spec.getNetworkMemSize(),
                spec.getManagedMemorySize(), spec.getJvmMetaspaceSize(), spec.getJvmOverheadSize(), spec.getTotalFlinkMemorySize(), spec.getTotalProcessMemorySize())),
            jvm, pairs(dynamic), profile, buffers);
    }

    private static String jobManager(Configuration conf, boolean scripts) throws Exception {
        Class<?> utils = Flink.find("org.apache.flink.runtime.jobmanager.JobManagerProcessUtils");
        Object spec;
        String jvm;
        try {
            ConfigOption<?> legacy = (ConfigOption<?>) Flink.constant(Flink.find("org.apache.flink.configuration.JobManagerOptions"), scripts ? "JVM_HEAP_MEMORY" : "TOTAL_PROCESS_MEMORY");
            spec = Flink.atLeast(2, 0) ? Flink.callStatic(utils, "processSpecFromConfig", conf)
                : Flink.callStatic(utils, "processSpecFromConfigWithNewOptionToInterpretLegacyHeap", conf, legacy);
            jvm = (String) Flink.callStatic(utils, "generateJvmParametersStr", spec, conf);
        } catch (Exception e) {
            return refusal(e);
        }
        Object flink = Flink.call(spec, "getFlinkMemory");
        return Vectors.line("ok",
            join(bytes(Flink.call(flink, "getJvmHeapMemorySize"), Flink.call(flink, "getJvmDirectMemorySize"), Flink.call(spec, "getJvmMetaspaceSize"),
                Flink.call(spec, "getJvmOverheadSize"), Flink.call(spec, "getTotalFlinkMemorySize"), Flink.call(spec, "getTotalProcessMemorySize"))),
            jvm, Flink.atLeast(1, 12) ? pairs((String) Flink.callStatic(utils, "generateDynamicConfigsStr", spec)) : "");
    }

    private record Rule(String id, Pattern text) {
        Rule(String id, String text) {
            this(id, Pattern.compile(text, Pattern.DOTALL));
        }
    }

    /** Message to kind of refusal; the first that is found counts. */
    private static final List<Rule> RULES = List.of(
        new Rule("F1", "Either required fine-grained memory|Either Task Heap Memory size"),
        new Rule("F2", "Cannot read memory size from config option"),
        new Rule("F4", "Inconsistently configured"),
        new Rule("F5", "Sum of configured JVM Metaspace"),
        new Rule("F6", "Sum of configured Framework Heap Memory.* and Managed Memory \\([^)]*\\)\\)? exceed"),
        new Rule("F7", "Sum of configured Framework Heap Memory.* and Network Memory"),
        new Rule("F8", "internal memory sizes \\(total .*do not add up|Configured/Derived"),
        new Rule("F9", "The configured Total Process Memory size .*is less than the sum of the derived"),
        new Rule("F10", "Derived JVM Overhead size .*is not in configured JVM Overhead range"),
        new Rule("F11", "Derived Network Memory size .*does not match configured Network Memory size"),
        new Rule("F12", "Derived Network Memory size .*is not in configured Network Memory range"),
        new Rule("F13", "TaskExecutors need to be started with a positive number of CPU cores"),
        new Rule("F14", "Could not parse value '"),
        new Rule("F14", "is neither a decimal digit number"),
        new Rule("F15", "long overflow|[oO]verflow"),
        new Rule("F16", "bytes must be >= 0"),
        new Rule("F17", "Invalid configuration value for taskmanager.memory.segment-size"),
        new Rule("F17", "Cannot (?:downcast )?long value \\d+ to integer"),
        new Rule("F21", "corresponds to more than MAX_INT pages"),
        new Rule("F18", "Invalid configuration value for taskmanager.numberOfTaskSlots"),
        new Rule("F19", "must not be less than 0"),
        new Rule("F20", "The network memory min .* and max .* mismatch"),
        new Rule("J1", "Sum of the configured JVM Heap Memory"),
        new Rule("J2", "The configured JVM Heap Memory .*exceeds the configured Total Flink Memory"),
        new Rule("J3", "The configured Total Flink Memory .*is less than the configured Off-heap Memory"));

    private static final Pattern KEY = Pattern.compile("for key '([^']+)'|config option '([^']+)'|[Ii]nvalid configuration value for (\\S+)|Inconsistently configured.*?Key: '([^']+)'", Pattern.DOTALL);

    /** "refused", the kind, the class of the exception, and the option that it names, if any. */
    static String refusal(Exception e) {
        StringBuilder chain = new StringBuilder();
        for (Throwable t = e; t != null; t = t.getCause()) {
            chain.append(t.getMessage()).append('\n');
        }
        String text = chain.toString();
        String id = RULES.stream().filter(r -> r.text.matcher(text).find()).map(Rule::id).findFirst().orElse("?" + text.trim());
        Matcher m = KEY.matcher(text);
        String key = "";
        if (m.find()) {
            key = IntStream.rangeClosed(1, m.groupCount()).mapToObj(m::group).filter(Objects::nonNull).findFirst().orElse("");
        }
        return String.join(" ", "refused", id, e.getClass().getSimpleName(), key).trim();
    }
}
