package io.github.flinkadvise.experiments;

import java.io.Serializable;
import java.util.HashMap;

/** The command line of the job: {@code --name value} pairs. Flink's own parser moved packages in 2.0. */
final class Options implements Serializable {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, String> values = new HashMap<>();

    static Options parse(String[] args) {
        if (args.length % 2 != 0) {
            throw new IllegalArgumentException("options come in pairs: --name value");
        }
        Options options = new Options();
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].startsWith("--")) {
                throw new IllegalArgumentException("not an option: " + args[i]);
            }
            options.values.put(args[i].substring(2), args[i + 1]);
        }
        return options;
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    long number(String name, long otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Long.parseLong(value);
    }
}
