package conformance;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * One area of vectors: inputs shared by all versions, and for each input what each version made of it.
 *
 * <p>The text form is line based. Header lines start with '#'. A line that starts with '+' is an input; the lines below it
 * are its outputs, each with the indexes (into the header's list) of the versions that gave it. Fields are separated by
 * tabs and, where they hold anything but plain printable ASCII, quoted so that Go's strconv.Unquote reads them.
 */
final class Vectors {
    private final String area;
    private final long seed;
    /** Version to what was run: jar names with their digests. */
    private final Map<String, String> jars = new TreeMap<>(Vectors::compareVersions);
    /** Encoded input to version to encoded output. */
    private Map<String, Map<String, String>> rows = new LinkedHashMap<>();

    Vectors(String area, long seed) {
        this.area = area;
        this.seed = seed;
    }

    static int compareVersions(String a, String b) {
        return Arrays.compare(numbers(a), numbers(b));
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\.")).mapToInt(Integer::parseInt).toArray();
    }

    /** Reads what other versions wrote before, if there is such a file. */
    void load(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file))), StandardCharsets.US_ASCII))) {
            Map<String, String> row = null;
            List<String> versions = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("#version\t")) {
                    String[] f = line.split("\t", 3);
                    versions.add(f[1]);
                    jars.put(f[1], f[2]);
                } else if (line.startsWith("+")) {
                    row = rows.computeIfAbsent(line.substring(1), k -> new LinkedHashMap<>());
                } else if (!line.startsWith("#")) {
                    int tab = line.indexOf('\t');
                    for (String range : line.substring(0, tab).split(",")) {
                        String[] ends = range.split("-");
                        for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                            row.put(versions.get(i), line.substring(tab + 1));
                        }
                    }
                }
            }
        }
    }

    /** Replaces everything known about one version. Inputs that are no longer made are dropped. */
    void replace(String version, String jar, Map<String, String> outputs) {
        jars.put(version, jar);
        Map<String, Map<String, String>> next = new LinkedHashMap<>();
        outputs.forEach((input, output) -> {
            Map<String, String> row = rows.getOrDefault(input, new LinkedHashMap<>());
            row.remove(version);
            if (output != null) {
                row.put(version, output);
            }
            next.put(input, row);
        });
        rows = next;
    }

    byte[] encode() throws IOException {
        StringBuilder out = new StringBuilder();
        out.append("#flinkadvise conformance vectors, form 1\n#area\t").append(area).append("\n#seed\t").append(seed).append('\n');
        List<String> versions = new ArrayList<>(jars.keySet());
        jars.forEach((v, jar) -> out.append("#version\t").append(v).append('\t').append(jar).append('\n'));
        rows.forEach((input, row) -> {
            out.append('+').append(input).append('\n');
            Map<String, List<Integer>> byOutput = new LinkedHashMap<>();
            for (int i = 0; i < versions.size(); i++) {
                String o = row.get(versions.get(i));
                if (o != null) {
                    byOutput.computeIfAbsent(o, k -> new ArrayList<>()).add(i);
                }
            }
            byOutput.forEach((o, indexes) -> out.append(ranges(indexes)).append('\t').append(o).append('\n'));
        });
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    void store(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes) {{ def.setLevel(9); }}) {
            zip.write(encode());
        }
        Files.createDirectories(file.getParent());
        Files.write(file, bytes.toByteArray());
    }

    private static String ranges(List<Integer> indexes) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < indexes.size(); ) {
            int j = i;
            while (j + 1 < indexes.size() && indexes.get(j + 1) == indexes.get(j) + 1) {
                j++;
            }
            s.append(i == 0 ? "" : ",").append(indexes.get(i));
            if (j > i) {
                s.append('-').append(indexes.get(j));
            }
            i = j + 1;
        }
        return s.toString();
    }

    static String line(List<String> fields) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            s.append(i == 0 ? "" : "\t").append(field(fields.get(i)));
        }
        return s.toString();
    }

    static String line(String... fields) {
        return line(Arrays.asList(fields));
    }

    private static String field(String f) {
        if (!f.startsWith("\"") && f.chars().allMatch(c -> c >= 0x20 && c < 0x7f && c != '\\')) {
            return f;
        }
        StringBuilder s = new StringBuilder("\"");
        f.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                s.append('\\').append((char) c);
            } else if (c == '\n') {
                s.append("\\n");
            } else if (c == '\t') {
                s.append("\\t");
            } else if (c >= 0x20 && c < 0x7f) {
                s.append((char) c);
            } else if (c >= 0xd800 && c < 0xe000) {
                // A lone surrogate is no character; Java prints '?' for it in UTF-8, Go knows U+FFFD.
                s.append("\\ufffd");
            } else {
                s.append(c > 0xffff ? String.format("\\U%08x", c) : String.format("\\u%04x", c));
            }
        });
        return s.append('"').toString();
    }

    /** The quoted form of bytes that need not be text. */
    static String bytes(byte[] b) {
        StringBuilder s = new StringBuilder("\"");
        for (byte x : b) {
            int c = x & 0xff;
            if (c == '"' || c == '\\') {
                s.append('\\').append((char) c);
            } else if (c == '\n') {
                s.append("\\n");
            } else if (c == '\t') {
                s.append("\\t");
            } else if (c >= 0x20 && c < 0x7f) {
                s.append((char) c);
            } else {
                s.append(String.format("\\x%02x", c));
            }
        }
        return s.append('"').toString();
    }
}
