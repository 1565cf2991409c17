package conformance;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.GlobalConfiguration;

/** Prints what the Flink on the class path loads from a configuration folder: one "key, tab, value" a line. */
public final class Loaded {
    private Loaded() {}

    public static void main(String[] args) {
        for (Map.Entry<String, String> e : new TreeMap<>(GlobalConfiguration.loadConfiguration(args[0]).toMap()).entrySet()) {
            System.out.println(e.getKey() + "\t" + e.getValue().replace("\\", "\\\\").replace("\n", "\\n"));
        }
    }
}
