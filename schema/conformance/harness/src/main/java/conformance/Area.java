package conformance;

import java.util.List;

/** A kind of question put to Flink. */
interface Area {
    String name();

    /** Every input, the same for all versions: nothing here may ask Flink. Each is a line in the form of {@link Vectors}. */
    List<Input> inputs(long seed);

    /** What the Flink on the class path makes of an input, as a line; null where this version has nothing to say about it. */
    String answer(Input input) throws Exception;

    /** An input and its line in the vector file. */
    record Input(String line, Object value) {}
}
