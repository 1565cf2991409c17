// Package quantity reads and prints values exactly as Flink does: memory sizes, durations, numbers, booleans, lists and maps.
//
// It follows org.apache.flink.configuration.MemorySize, ConfigurationUtils and StructuredOptionsSplitter and
// org.apache.flink.util.TimeUtils; what those refuse is refused here. Java's own text forms (Double.toString, trim,
// Integer.parseInt) are reproduced where a result depends on them.
package quantity

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Bytes is a memory size, Flink's MemorySize: a number of bytes from 0 to 2^63-1.
type Bytes int64

// Binary units. Every unit of Flink's memory grammar is binary, whatever its spelling.
const (
	KiB Bytes = 1 << 10
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30
	TiB Bytes = 1 << 40
)

// MaxBytes is MemorySize.MAX_VALUE, which Flink uses for "no limit".
const MaxBytes Bytes = math.MaxInt64

// ErrOverflow is Flink's ArithmeticException: a size beyond 2^63-1.
var ErrOverflow = errors.New("size exceeds 2^63-1 bytes")

// ErrNegative is what Flink says when a difference of sizes would be below zero.
var ErrNegative = errors.New("size would be negative")

// memoryUnits maps each legal unit label, lower case, to its bytes (MemorySize.MemoryUnit).
var memoryUnits = map[string]Bytes{
	"": 1, "b": 1, "bytes": 1,
	"k": KiB, "kb": KiB, "kibibytes": KiB,
	"m": MiB, "mb": MiB, "mebibytes": MiB,
	"g": GiB, "gb": GiB, "gibibytes": GiB,
	"t": TiB, "tb": TiB, "tebibytes": TiB,
}

// Trim removes what Java's String.trim removes: all characters up to U+0020 at both ends.
func Trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}

// leadingDigits splits s after its leading run of ASCII digits.
func leadingDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// ParseBytes reads a memory size as MemorySize.parse does: digits, optional blanks, a binary unit in any case. A bare number
// is bytes. Fractions, signs and the spellings "MiB" and "Gi" are errors, as in Flink.
func ParseBytes(text string) (Bytes, error) {
	s := Trim(text)
	if s == "" {
		return 0, errors.New("empty memory size")
	}
	digits, rest := leadingDigits(s)
	if digits == "" {
		return 0, fmt.Errorf("memory size %q does not start with a number", text)
	}
	label := strings.ToLower(Trim(rest))
	unit, ok := memoryUnits[label]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("memory size %q: the number exceeds 2^63-1", text)
	}
	if !ok {
		return 0, fmt.Errorf("memory size %q: %q is not a unit of Flink's (b, k, m, g, t and their spellings kb, mb …, kibibytes, mebibytes …)", text, Trim(rest))
	}
	hi, lo := bits.Mul64(uint64(n), uint64(unit))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, fmt.Errorf("memory size %q: %w", text, ErrOverflow)
	}
	return Bytes(lo), nil
}

// Add is MemorySize.add; it fails with ErrOverflow.
func (b Bytes) Add(o Bytes) (Bytes, error) {
	if b > MaxBytes-o {
		return 0, ErrOverflow
	}
	return b + o, nil
}

// Sub is MemorySize.subtract; it fails with ErrNegative.
func (b Bytes) Sub(o Bytes) (Bytes, error) {
	if o > b {
		return 0, ErrNegative
	}
	return b - o, nil
}

// Multiply is MemorySize.multiply: the decimal number that Java prints for x, times the bytes, exactly, truncated.
// It is neither a float multiplication nor the binary value of x. It fails for negative and non-finite x and on overflow.
func (b Bytes) Multiply(x float64) (Bytes, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return 0, fmt.Errorf("memory size cannot be multiplied by %v", x)
	}
	product, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	product.Mul(product, new(big.Rat).SetInt64(int64(b)))
	if product.Cmp(maxRat) > 0 {
		return 0, ErrOverflow
	}
	return Bytes(new(big.Int).Quo(product.Num(), product.Denom()).Int64()), nil
}

var maxRat = new(big.Rat).SetInt64(math.MaxInt64)

// Mebibytes is MemorySize.getMebiBytes: whole MiB, rounded down.
func (b Bytes) Mebibytes() int64 { return int64(b >> 20) }

// unitsDown lists the units from large to small with the labels that MemorySize prints.
var unitsDown = []struct {
	size  Bytes
	label string
	iec   string
}{{TiB, "tb", "TiB"}, {GiB, "gb", "GiB"}, {MiB, "mb", "MiB"}, {KiB, "kb", "KiB"}}

// String is MemorySize.toString: the largest unit of which b is a whole multiple ("1728 mb"); multiples of 1 TiB and 0 are
// printed in bytes, as Flink does.
func (b Bytes) String() string {
	if b%TiB != 0 {
		for _, u := range unitsDown[1:] {
			if b%u.size == 0 {
				return fmt.Sprintf("%d %s", b/u.size, u.label)
			}
		}
	}
	return fmt.Sprintf("%d bytes", int64(b))
}

// Human is MemorySize.toHumanReadableString, as Flink's logs and errors print it: "1.688gb (1811939328 bytes)".
// A unit is used only for sizes strictly above it, so 1 GiB is "1024.000mb (1073741824 bytes)".
func (b Bytes) Human() string {
	for _, u := range unitsDown {
		if b > u.size {
			return fmt.Sprintf("%s%s (%d bytes)", decimals(b, u.size, 3), u.label, int64(b))
		}
	}
	return fmt.Sprintf("%d bytes", int64(b))
}

// decimals prints b/unit with n digits after the point, ties rounded away from zero as Java's HALF_UP does.
func decimals(b, unit Bytes, n int) string {
	scale := uint64(1)
	for range n {
		scale *= 10
	}
	hi, lo := bits.Mul64(uint64(b), scale)
	lo, carry := bits.Add64(lo, uint64(unit)/2, 0)
	t, _ := bits.Div64(hi+carry, lo, uint64(unit))
	if n == 0 {
		return strconv.FormatUint(t, 10)
	}
	return fmt.Sprintf("%d.%0*d", t/scale, n, t%scale)
}

// Pretty is for our own sentences: "38.75 GiB", "1 GiB", "640 MiB", "300 bytes"; two digits after the point at most, rounded half up.
func (b Bytes) Pretty() string {
	if b == MaxBytes {
		return "unlimited"
	}
	for _, u := range unitsDown {
		if b >= u.size {
			s := decimals(b, u.size, 2)
			return strings.TrimRight(strings.TrimRight(s, "0"), ".") + " " + u.iec
		}
	}
	if b == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", int64(b))
}

// Config is b as one would write it in a configuration file: the largest unit that keeps it exact ("38400m", "1g", "1342177281").
func (b Bytes) Config() string {
	for _, u := range unitsDown[1:] {
		if b > 0 && b%u.size == 0 {
			return fmt.Sprintf("%d%c", b/u.size, u.label[0])
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// CeilTo rounds b up to a multiple of unit.
func (b Bytes) CeilTo(unit Bytes) Bytes { return (b + unit - 1) / unit * unit }
