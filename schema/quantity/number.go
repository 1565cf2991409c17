package quantity

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseBool reads true or false in any case; Flink takes nothing else (ConfigurationUtils.convertToBoolean).
func ParseBool(text string) (bool, error) {
	switch strings.ToUpper(text) {
	case "TRUE":
		return true, nil
	case "FALSE":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", text)
}

// ParseInt reads a 32-bit integer as Integer.parseInt does: an optional sign and digits, no blanks, no underscores.
func ParseInt(text string) (int32, error) {
	n, err := parseJavaInt(text, 32)
	return int32(n), err
}

// ParseLong reads a 64-bit integer as Long.parseLong does.
func ParseLong(text string) (int64, error) { return parseJavaInt(text, 64) }

func parseJavaInt(text string, bitSize int) (int64, error) {
	if strings.Contains(text, "_") {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	n, err := strconv.ParseInt(asciiDigits(text), 10, bitSize)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is beyond the %d-bit range", text, bitSize)
	case err != nil:
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	return n, nil
}

// asciiDigits writes the digits of other scripts, which Java's parseInt takes as well (Character.digit), in ASCII. Java looks at 16-bit
// units, so only digits below U+10000 count.
func asciiDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.IsDigit(r) {
			return r
		}
		for _, block := range unicode.Nd.R16 {
			if lo, hi := rune(block.Lo), rune(block.Hi); lo <= r && r <= hi {
				return '0' + (r-lo)%10 // blocks begin with a zero
			}
		}
		return r
	}, text)
}

// javaFloat is the grammar of Float.parseFloat and Double.parseDouble after trimming.
var javaFloat = regexp.MustCompile(`^[+-]?(NaN|Infinity|((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?\d+)[fFdD]?)$`)

// ParseFloat reads a float32 as Float.parseFloat does.
func ParseFloat(text string) (float32, error) {
	f, err := parseJavaFloat(text, 32)
	return float32(f), err
}

// ParseDouble reads a float64 as Double.parseDouble does.
func ParseDouble(text string) (float64, error) { return parseJavaFloat(text, 64) }

func parseJavaFloat(text string, bitSize int) (float64, error) {
	s := Trim(text)
	if !javaFloat.MatchString(s) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	if !strings.HasSuffix(s, "NaN") && !strings.HasSuffix(s, "Infinity") {
		hex := strings.ContainsAny(s, "xX")
		if last := s[len(s)-1] | 0x20; last == 'f' && (!hex || strings.ContainsAny(s, "pP")) || last == 'd' && (!hex || strings.ContainsAny(s, "pP")) {
			s = s[:len(s)-1]
		}
	} else {
		s = strings.TrimPrefix(strings.TrimPrefix(s, "+"), "-NaN")
		if s == "" {
			s = "NaN"
		}
	}
	f, err := strconv.ParseFloat(s, bitSize)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // Java answers overflow with infinity
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return f, nil
}

// FloatFromDouble narrows a YAML double as ConfigurationUtils.convertToFloat does; it fails beyond float32's range.
func FloatFromDouble(d float64) (float32, error) {
	if a := math.Abs(d); d != 0 && (math.IsNaN(d) || a < math.SmallestNonzeroFloat32 || a > math.MaxFloat32) {
		return 0, fmt.Errorf("%v is beyond the range of a 32-bit float", d)
	}
	return float32(d), nil
}

// FormatDouble is Java's Double.toString, shortest digits (JDK 19 and later; older ones print a few values longer).
func FormatDouble(d float64) string { return formatJavaFloat(d, 64) }

// FormatFloat is Java's Float.toString.
func FormatFloat(f float32) string { return formatJavaFloat(float64(f), 32) }

func formatJavaFloat(d float64, bitSize int) string {
	switch {
	case math.IsNaN(d):
		return "NaN"
	case math.IsInf(d, 1):
		return "Infinity"
	case math.IsInf(d, -1):
		return "-Infinity"
	case d == 0:
		if math.Signbit(d) {
			return "-0.0"
		}
		return "0.0"
	}
	if a := math.Abs(d); a >= 1e-3 && a < 1e7 {
		s := strconv.FormatFloat(d, 'f', -1, bitSize)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(d, 'e', -1, bitSize), "e")
	if !strings.Contains(mantissa, ".") {
		// Java prints two digits at least, and then the closest two: 4.9E-324.
		mantissa, exponent, _ = strings.Cut(strconv.FormatFloat(d, 'e', 1, bitSize), "e")
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(n)
}

// MatchEnum finds the constant that Flink would read text as: both sides upper-cased, nothing trimmed.
func MatchEnum(text string, values []string) (string, bool) {
	up := strings.ToUpper(text)
	for _, v := range values {
		if strings.ToUpper(v) == up {
			return v, true
		}
	}
	return "", false
}
