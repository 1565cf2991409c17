package quantity

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Duration is a java.time.Duration that is not negative: whole seconds and nanoseconds from 0 to 999,999,999.
type Duration struct {
	Sec   int64
	Nanos int32
}

// Of converts a Go duration.
func Of(d time.Duration) Duration {
	return Duration{Sec: int64(d / time.Second), Nanos: int32(d % time.Second)}
}

// Seconds is d as seconds.
func (d Duration) Seconds() float64 { return float64(d.Sec) + float64(d.Nanos)/1e9 }

// Std is d as a Go duration, at most 2^63-1 ns (292 years).
func (d Duration) Std() time.Duration {
	if d.Sec > math.MaxInt64/int64(time.Second)-1 {
		return math.MaxInt64
	}
	return time.Duration(d.Sec)*time.Second + time.Duration(d.Nanos)
}

// IsZero tells whether d is zero.
func (d Duration) IsZero() bool { return d == Duration{} }

// Compare orders durations.
func (d Duration) Compare(o Duration) int {
	switch {
	case d == o:
		return 0
	case d.Sec < o.Sec || d.Sec == o.Sec && d.Nanos < o.Nanos:
		return -1
	}
	return 1
}

// durationUnits are TimeUtils' units from small to large: nanoseconds, label printed, labels read.
var durationUnits = []struct {
	nanos  int64
	label  string
	labels []string
}{
	{1, "ns", []string{"ns", "nano", "nanos", "nanosecond", "nanoseconds"}},
	{1e3, "µs", []string{"µs", "micro", "micros", "microsecond", "microseconds"}},
	{1e6, "ms", []string{"ms", "milli", "millis", "millisecond", "milliseconds"}},
	{1e9, "s", []string{"s", "sec", "secs", "second", "seconds"}},
	{60e9, "min", []string{"min", "m", "minute", "minutes"}},
	{3600e9, "h", []string{"h", "hour", "hours"}},
	{86400e9, "d", []string{"d", "day", "days"}},
}

// ErrDurationOverflow is Flink's refusal of a duration beyond 2^63-1 seconds.
var ErrDurationOverflow = errors.New("duration exceeds 2^63-1 seconds")

// ParseDuration reads a duration as TimeUtils.parseDuration of version v does: digits, optional blanks, a unit label; a bare
// number is milliseconds. The label "m" exists from 1.15 on and ISO-8601 ("PT1H") from 2.1 on; before 2.0 the number must fit 64 bits.
func ParseDuration(text string, v version.Version) (Duration, error) {
	s := Trim(text)
	if s == "" {
		return Duration{}, errors.New("empty duration")
	}
	digits, rest := leadingDigits(s)
	if digits == "" {
		if v.AtLeast(2, 1) {
			return parseISO(s)
		}
		return Duration{}, fmt.Errorf("duration %q does not start with a number", text)
	}
	n, _ := new(big.Int).SetString(digits, 10)
	if v.Before(2, 0) && !n.IsInt64() {
		return Duration{}, fmt.Errorf("duration %q: the number exceeds 2^63-1", text)
	}
	label := strings.ToLower(Trim(rest))
	if label == "" {
		label = "ms"
	}
	for _, u := range durationUnits {
		for _, l := range u.labels {
			if l == label && (l != "m" || v.AtLeast(1, 15)) {
				return fromNanos(n.Mul(n, big.NewInt(u.nanos)))
			}
		}
	}
	hint := ""
	if label == "m" {
		hint = `; "m" is read from Flink 1.15 on, write "min"`
	}
	return Duration{}, fmt.Errorf("duration %q: %q is not a unit of Flink's (ns, us as µs, ms, s, min, h, d and their long forms)%s", text, Trim(rest), hint)
}

func fromNanos(total *big.Int) (Duration, error) {
	sec, nanos := new(big.Int).QuoRem(total, big.NewInt(1e9), new(big.Int))
	if !sec.IsInt64() {
		return Duration{}, ErrDurationOverflow
	}
	return Duration{Sec: sec.Int64(), Nanos: int32(nanos.Int64())}, nil
}

// isoDuration is the grammar of java.time.Duration.parse.
var isoDuration = regexp.MustCompile(`(?i)^([-+]?)P(?:([-+]?[0-9]+)D)?(T(?:([-+]?[0-9]+)H)?(?:([-+]?[0-9]+)M)?(?:([-+]?[0-9]+)(?:[.,]([0-9]{0,9}))?S)?)?$`)

func parseISO(s string) (Duration, error) {
	bad := fmt.Errorf("duration %q is neither a number with a unit nor ISO-8601 such as PT10M", s)
	m := isoDuration.FindStringSubmatch(s)
	if m == nil || strings.EqualFold(m[3], "T") || m[2]+m[4]+m[5]+m[6] == "" {
		return Duration{}, bad
	}
	total := new(big.Int)
	for _, part := range []struct {
		text  string
		nanos int64
	}{{m[2], 86400e9}, {m[4], 3600e9}, {m[5], 60e9}, {m[6], 1e9}} {
		if part.text == "" {
			continue
		}
		n, ok := new(big.Int).SetString(strings.TrimPrefix(part.text, "+"), 10)
		if !ok || !n.IsInt64() {
			return Duration{}, bad
		}
		total.Add(total, n.Mul(n, big.NewInt(part.nanos)))
	}
	if m[7] != "" {
		fraction, _ := new(big.Int).SetString((m[7] + "000000000")[:9], 10)
		if strings.HasPrefix(m[6], "-") {
			fraction.Neg(fraction)
		}
		total.Add(total, fraction)
	}
	if m[1] == "-" {
		total.Neg(total)
	}
	if total.Sign() < 0 {
		return Duration{}, fmt.Errorf("duration %q is negative", s)
	}
	return fromNanos(total)
}

// Format is TimeUtils.formatWithHighestUnit: the largest unit that divides d evenly ("90 s", "1 min", "0 ms"). Days are
// used from 1.18 on; before that a whole number of days comes out in milliseconds.
func (d Duration) Format(v version.Version) string {
	total := new(big.Int).Mul(big.NewInt(d.Sec), big.NewInt(1e9))
	total.Add(total, big.NewInt(int64(d.Nanos)))
	if total.Sign() == 0 {
		return "0 ms"
	}
	for i := len(durationUnits) - 1; i >= 0; i-- {
		u := durationUnits[i]
		n, rest := new(big.Int).QuoRem(total, big.NewInt(u.nanos), new(big.Int))
		if rest.Sign() != 0 {
			continue
		}
		if u.label == "d" && v.Before(1, 18) {
			return new(big.Int).Quo(total, big.NewInt(1e6)).String() + " ms"
		}
		return n.String() + " " + u.label
	}
	return total.String() + " ns"
}

// Pretty is for our own sentences: the largest unit that divides d evenly, without a blank ("2min", "90s", "1500ms").
func (d Duration) Pretty() string {
	return strings.Replace(d.Format(version.Newest()), " ", "", 1)
}
