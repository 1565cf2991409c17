package conformance;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;

/**
 * Single values. Input: the type of the option; how the text reaches it ("legacy": as from flink-conf.yaml or -D up to 1.20;
 * "standard": as text where the standard YAML rules apply; "yaml": behind "k: " in a config.yaml); the text.
 */
final class ValueArea implements Area {
    record Value(String type, String mode, String text) {}

    /** Stands for Flink's enums: plain names, and a constant that prints itself in its own way. */
    enum Sample {
        EXACTLY_ONCE("EXACTLY_ONCE"),
        NO_CLAIM("NO_CLAIM"),
        DASHED("dashed-name");

        private final String text;

        Sample(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Override
    public String name() {
        return "values";
    }

    // ---- what is asked ----

    @Override
    public List<Input> inputs(long seed) {
        Random r = new Random(seed + 1);
        Set<Value> all = new LinkedHashSet<>();
        String[] plain = {"legacy", "standard"};
        for (String t : HandPicked.MEMORY_SIZES) {
            both(all, "memory", t);
        }
        for (int i = 0; i < 500; i++) {
            both(all, "memory", quantity(r, MEMORY_UNITS));
        }
        for (String t : HandPicked.DURATIONS) {
            both(all, "duration", t);
        }
        for (int i = 0; i < 600; i++) {
            both(all, "duration", r.nextInt(6) == 0 ? iso(r) : quantity(r, TIME_UNITS));
        }
        for (String t : HandPicked.BOOLEANS) {
            both(all, "boolean", t);
        }
        for (String t : HandPicked.ENUMS) {
            both(all, "enum", t);
        }
        for (String t : HandPicked.INTEGERS) {
            both(all, "int", t);
            both(all, "long", t);
        }
        for (String t : HandPicked.FLOATS) {
            both(all, "float", t);
            both(all, "double", t);
        }
        for (int i = 0; i < 250; i++) {
            String t = number(r);
            both(all, "float", t);
            both(all, "double", t);
        }
        for (int i = 0; i < 200; i++) {
            String t = (r.nextInt(5) == 0 ? "-" : "") + (r.nextBoolean() ? r.nextInt() : r.nextLong()) + (r.nextInt(8) == 0 ? "0" : "");
            both(all, "int", t);
            both(all, "long", t);
        }
        for (String t : HandPicked.LISTS) {
            for (String type : new String[] {"list", "intlist", "durationlist", "map", "maplist", "string"}) {
                both(all, type, t);
            }
        }
        for (int i = 0; i < 700; i++) {
            String t = structured(r);
            both(all, "list", t);
            both(all, "map", t);
            if (i % 4 == 0) {
                both(all, "maplist", t);
            }
        }
        for (String t : HandPicked.YAML_SCALARS) {
            for (String type : new String[] {"memory", "duration", "boolean", "int", "long", "float", "double", "string", "list", "intlist", "map", "enum"}) {
                all.add(new Value(type, "yaml", t));
            }
        }
        for (int i = 0; i < 200; i++) {
            String t = yamlNumber(r);
            for (String type : new String[] {"memory", "duration", "int", "long", "float", "double", "string"}) {
                all.add(new Value(type, "yaml", t));
            }
        }
        return all.stream().map(v -> new Input(Vectors.line(v.type, v.mode, v.text), v)).collect(Collectors.toList());
    }

    private static void both(Set<Value> all, String type, String text) {
        all.add(new Value(type, "legacy", text));
        all.add(new Value(type, "standard", text));
    }

    private static final String[] MEMORY_UNITS = {
        "", "b", "bytes", "k", "kb", "kibibytes", "m", "mb", "mebibytes", "g", "gb", "gibibytes", "t", "tb", "tebibytes", "byte", "kib", "mib", "Mi", "Gi", "gib", "pb", "%"};
    private static final String[] TIME_UNITS = {
        "", "d", "day", "days", "h", "hour", "hours", "min", "m", "minute", "minutes", "s", "sec", "secs", "second", "seconds", "ms", "milli", "millis", "millisecond", "milliseconds",
        "\u00b5s", "\u03bcs", "micro", "micros", "microsecond", "microseconds", "ns", "nano", "nanos", "nanosecond", "nanoseconds", "us", "w", "hrs", "mins", "msec"};

    private static String quantity(Random r, String[] units) {
        String[] blanks = {"", "", "", "", " ", "  ", "\t"};
        String digits;
        switch (r.nextInt(10)) {
            case 0:
                digits = Long.toString(Long.MAX_VALUE >>> r.nextInt(63));
                break;
            case 1:
                digits = "9223372036854775807".substring(0, 15 + r.nextInt(5)) + r.nextInt(10);
                break;
            case 2:
                digits = "00" + r.nextInt(100);
                break;
            case 3:
                digits = r.nextInt(100) + "." + r.nextInt(10);
                break;
            case 4:
                digits = new String[] {"-1", "+3", "", "1_000", "1,5", "0"}[r.nextInt(6)];
                break;
            case 5:
                digits = Long.toString(1L << r.nextInt(62));
                break;
            default:
                digits = Integer.toString(r.nextInt(r.nextBoolean() ? 100 : 1_000_000));
        }
        String unit = units[r.nextInt(units.length)];
        StringBuilder cased = new StringBuilder();
        for (char c : unit.toCharArray()) {
            cased.append(r.nextInt(5) == 0 ? Character.toUpperCase(c) : c);
        }
        String tail = r.nextInt(25) == 0 ? new String[] {" x", "1", ".", " 30s", "/s"}[r.nextInt(5)] : "";
        return blanks[r.nextInt(blanks.length)] + digits + blanks[r.nextInt(blanks.length)] + cased + tail + blanks[r.nextInt(blanks.length)];
    }

    private static String iso(Random r) {
        StringBuilder s = new StringBuilder(r.nextInt(8) == 0 ? "-" : "").append(r.nextInt(4) == 0 ? "p" : "P");
        if (r.nextInt(3) == 0) {
            s.append(r.nextInt(40)).append('D');
        }
        if (r.nextInt(4) > 0) {
            s.append('T');
            if (r.nextBoolean()) {
                s.append(r.nextInt(100)).append('H');
            }
            if (r.nextBoolean()) {
                s.append(r.nextInt(6) == 0 ? "-" : "").append(r.nextInt(100)).append('M');
            }
            if (r.nextBoolean()) {
                s.append(r.nextInt(100)).append(r.nextInt(3) == 0 ? "." + r.nextInt(1000) : "").append(r.nextInt(6) == 0 ? 's' : 'S');
            }
        }
        return s.toString();
    }

    private static String number(Random r) {
        switch (r.nextInt(6)) {
            case 0:
                return Double.toString(r.nextDouble());
            case 1:
                return Float.toString(r.nextFloat());
            case 2:
                return Double.toString(Double.longBitsToDouble(r.nextLong()));
            case 3:
                return Float.toString(Float.intBitsToFloat(r.nextInt()));
            case 4:
                return Double.toHexString(Double.longBitsToDouble(r.nextLong()));
            default:
                return r.nextInt(1000) + "." + r.nextInt(1_000_000_000) + (r.nextInt(4) == 0 ? "e" + (r.nextInt(80) - 40) : "") + (r.nextInt(8) == 0 ? "fFdD".charAt(r.nextInt(4)) : "");
        }
    }

    private static String yamlNumber(Random r) {
        switch (r.nextInt(7)) {
            case 0:
                return "0o" + Integer.toOctalString(r.nextInt());
            case 1:
                return "0x" + Long.toHexString(r.nextLong());
            case 2:
                return (r.nextBoolean() ? "+" : "-") + r.nextInt(100000);
            case 3:
                return r.nextLong() + "" + r.nextInt(100);
            case 4:
                return r.nextInt(100) + "." + (r.nextBoolean() ? r.nextInt(1000) : "") + (r.nextBoolean() ? "e" + (r.nextBoolean() ? "+" : "") + r.nextInt(12) : "");
            case 5:
                return "0" + r.nextInt(10000);
            default:
                return Double.toString(r.nextDouble() * Math.pow(10, r.nextInt(20) - 6));
        }
    }

    private static String structured(Random r) {
        String[] parts = {"a", "b", "k1", "value", ";", ";", ";", ",", ",", ":", ":", ":", "'", "''", "\"", "\"\"", " ", " ", "  ", "x y", "[", "]", "{", "}", "-", "#", "\\", "1", "30 s", "http://h:80/p", ": ", ", ", "\t", "*", "&a", "!", "%"};
        StringBuilder s = new StringBuilder();
        if (r.nextInt(3) > 0) {
            // Mostly well-formed ones: items with a quote here and there.
            String[] words = {"a", "bc", "x y", "'q;r'", "\"s,t\"", "'it''s'", "", " z ", "k:v", "k : v", "'k:1':'v:2'", "a'b", "[m, n]", "{o: p}"};
            char sep = ";,".charAt(r.nextInt(2));
            for (int n = r.nextInt(5); n >= 0; n--) {
                String w = words[r.nextInt(words.length)];
                s.append(sep == ',' && r.nextBoolean() ? words[r.nextInt(5)] + ":" + w : w).append(n > 0 || r.nextInt(6) == 0 ? sep : "").append(r.nextInt(4) == 0 ? " " : "");
            }
            return s.toString();
        }
        for (int n = r.nextInt(9); n > 0; n--) {
            s.append(parts[r.nextInt(parts.length)]);
        }
        return s.toString();
    }

    // ---- what Flink answers ----

    private static ConfigOption<?> option(String type) {
        ConfigOptions.OptionBuilder k = ConfigOptions.key("k");
        switch (type) {
            case "memory":
                return k.memoryType().noDefaultValue();
            case "duration":
                return k.durationType().noDefaultValue();
            case "boolean":
                return k.booleanType().noDefaultValue();
            case "int":
                return k.intType().noDefaultValue();
            case "long":
                return k.longType().noDefaultValue();
            case "float":
                return k.floatType().noDefaultValue();
            case "double":
                return k.doubleType().noDefaultValue();
            case "string":
                return k.stringType().noDefaultValue();
            case "list":
                return k.stringType().asList().noDefaultValue();
            case "intlist":
                return k.intType().asList().noDefaultValue();
            case "durationlist":
                return k.durationType().asList().noDefaultValue();
            case "map":
                return k.mapType().noDefaultValue();
            case "maplist":
                return k.mapType().asList().noDefaultValue();
            case "enum":
                return k.enumType(Sample.class).noDefaultValue();
            default:
                throw new IllegalArgumentException(type);
        }
    }

    private static void standardYaml(boolean standard) throws Exception {
        if (Flink.hasMethod(GlobalConfiguration.class, "setStandardYaml")) {
            Flink.callStatic(GlobalConfiguration.class, "setStandardYaml", standard);
        }
    }

    @Override
    public String answer(Input input) throws Exception {
        Value v = (Value) input.value();
        boolean legacy = v.mode.equals("legacy");
        if (legacy ? Flink.atLeast(2, 0) : !Flink.atLeast(1, 19)) {
            return null;
        }
        standardYaml(!legacy);
        Configuration conf;
        if (v.mode.equals("yaml")) {
            Path dir = FileArea.folder();
            Files.write(dir.resolve("config.yaml"), ("k: " + v.text + "\n").getBytes(StandardCharsets.UTF_8));
            try {
                conf = GlobalConfiguration.loadConfiguration(dir.toString());
            } catch (Exception e) {
                return "unloadable " + FileArea.chain(e);
            }
        } else {
            conf = new Configuration();
            conf.setString("k", v.text);
        }
        Object value;
        try {
            Optional<?> found = conf.getOptional(option(v.type));
            if (!found.isPresent()) {
                return "absent";
            }
            value = found.get();
        } catch (Exception e) {
            return "refused " + FileArea.chain(e);
        }
        List<String> f = new ArrayList<>(List.of("ok"));
        print(value, f);
        return Vectors.line(f);
    }

    private static void print(Object value, List<String> f) {
        if (value instanceof MemorySize) {
            MemorySize m = (MemorySize) value;
            f.addAll(List.of(Long.toString(m.getBytes()), m.toString(), m.toHumanReadableString()));
        } else if (value instanceof Duration) {
            Duration d = (Duration) value;
            String text;
            try {
                text = TimeUtils.formatWithHighestUnit(d);
            } catch (ArithmeticException e) {
                text = "unprintable";
            }
            f.addAll(List.of(d.getSeconds() + " " + d.getNano(), text));
        } else if (value instanceof Float) {
            // Bits alone: how they print is the JDK's affair, and changed in JDK 19.
            f.add(Integer.toHexString(Float.floatToIntBits((Float) value)));
        } else if (value instanceof Double) {
            f.add(Long.toHexString(Double.doubleToLongBits((Double) value)));
        } else if (value instanceof List) {
            f.add(Integer.toString(((List<?>) value).size()));
            ((List<?>) value).forEach(e -> {
                List<String> one = new ArrayList<>();
                print(e, one);
                f.add(String.join(" | ", one));
            });
        } else if (value instanceof Map) {
            new TreeMap<>((Map<?, ?>) value).forEach((k, e) -> f.add(k + " => " + e));
        } else {
            f.add(value.toString());
        }
    }
}
