package conformance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asks the Flink on the class path and merges its answers into the committed vectors, or compares with them. */
public final class Main {
    /** Any number would do; changing it changes every generated input. */
    static final long SEED = 20261201L;

    private Main() {}

    /** Arguments: "write" or "check", the folder of the vectors, and optionally the areas to run. */
    public static void main(String[] args) throws Exception {
        boolean check = args[0].equals("check");
        Path folder = Path.of(args[1]);
        List<Area> areas = new ArrayList<>(List.of(new MemoryArea(), new ValueArea(), new FileArea(), new BufferArea()));
        if (args.length > 2) {
            areas.removeIf(a -> !Arrays.asList(args).subList(2, args.length).contains(a.name()));
        }
        boolean same = true;
        for (Area area : areas) {
            Map<String, String> answers = new LinkedHashMap<>();
            for (Area.Input input : area.inputs(SEED)) {
                answers.put(input.line(), area.answer(input));
            }
            Path file = folder.resolve(area.name() + ".tsv.gz");
            Vectors vectors = new Vectors(area.name(), SEED);
            vectors.load(file);
            byte[] before = vectors.encode();
            vectors.replace(Flink.version(), Flink.jars(), answers);
            boolean equal = Arrays.equals(before, vectors.encode());
            same &= equal;
            if (!check) {
                vectors.store(file);
            }
            System.out.printf("%s %s: %d inputs, %s%n", Flink.version(), area.name(), answers.size(), equal ? "unchanged" : check ? "DIFFERENT" : "written");
        }
        if (check && !same) {
            System.exit(1);
        }
        System.exit(0);
    }
}
