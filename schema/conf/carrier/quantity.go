package carrier

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// kubernetesSuffixes are the factors of Kubernetes quantities.
var kubernetesSuffixes = map[string]*big.Rat{
	"n": big.NewRat(1, 1e9), "u": big.NewRat(1, 1e6), "m": big.NewRat(1, 1e3), "": big.NewRat(1, 1),
	"k": big.NewRat(1e3, 1), "M": big.NewRat(1e6, 1), "G": big.NewRat(1e9, 1), "T": big.NewRat(1e12, 1), "P": big.NewRat(1e15, 1), "E": big.NewRat(1e18, 1),
	"Ki": big.NewRat(1<<10, 1), "Mi": big.NewRat(1<<20, 1), "Gi": big.NewRat(1<<30, 1), "Ti": big.NewRat(1<<40, 1), "Pi": big.NewRat(1<<50, 1), "Ei": big.NewRat(1<<60, 1),
}

var kubernetesQuantity = regexp.MustCompile(`^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?:([eE][+-]?[0-9]{1,3})|([numkMGTPE]|[KMGTPE]i))?$`)

// kubernetesNumber reads a quantity of Kubernetes ("500m", "2Gi", "1e3"), exactly.
func kubernetesNumber(text string) (*big.Rat, error) {
	m := kubernetesQuantity.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("%q is not a Kubernetes quantity", text)
	}
	r, ok := new(big.Rat).SetString(m[1] + m[2])
	if !ok {
		return nil, fmt.Errorf("%q is not a Kubernetes quantity", text)
	}
	return r.Mul(r, kubernetesSuffixes[m[3]]), nil
}

// KubernetesBytes reads a quantity of Kubernetes as bytes; fractions of a byte are rounded up, as the API server does.
func KubernetesBytes(text string) (quantity.Bytes, error) {
	r, err := kubernetesNumber(text)
	if err != nil {
		return 0, err
	}
	n := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
	n.Div(n, r.Denom())
	if r.Sign() < 0 || !n.IsInt64() {
		return 0, fmt.Errorf("%q is out of range", text)
	}
	return quantity.Bytes(n.Int64()), nil
}

// OperatorMemory is what the Kubernetes operator makes of resource.memory (ResourceConfigUtils, operator 1.7 and newer): Flink's own grammar first,
// so that "2g" and "2G" are GiB; what that refuses is read as a Kubernetes quantity after blanks, case and a final "B" are evened out. A fraction
// stays a decimal number there ("1610612736.0"), which Flink then refuses.
func OperatorMemory(text string) string {
	if b, err := quantity.ParseBytes(text); err == nil {
		return b.String()
	}
	s := strings.TrimSuffix(strings.ToUpper(strings.Join(strings.Fields(text), "")), "B")
	if rest, ok := strings.CutSuffix(s, "I"); ok {
		s = rest + "i"
	}
	r, err := kubernetesNumber(s)
	if err != nil {
		return text
	}
	number, _, _ := strings.Cut(strings.TrimRight(s, "numkKMGTPEi"), "E")
	_, fraction, _ := strings.Cut(number, ".")
	return r.FloatString(len(fraction))
}

// composeSizes are the units of compose files, all binary.
var composeSizes = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)\s*([kKmMgGtT]?)i?[bB]?$`)

// composeBytes reads a size of a compose file ("2g", "512M", "1.5gb").
func composeBytes(text string) (quantity.Bytes, error) {
	m := composeSizes.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, fmt.Errorf("%q is not a size of a compose file", text)
	}
	r, _ := new(big.Rat).SetString(m[1])
	unit := map[string]int64{"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}[strings.ToLower(m[2])]
	r.Mul(r, new(big.Rat).SetInt64(unit))
	n := new(big.Int).Quo(r.Num(), r.Denom())
	if !n.IsInt64() {
		return 0, fmt.Errorf("%q is out of range", text)
	}
	return quantity.Bytes(n.Int64()), nil
}

// KubernetesAmount reads a quantity of Kubernetes as a plain number: cores of "500m", bytes of "2Gi".
func KubernetesAmount(text string) (float64, error) {
	r, err := kubernetesNumber(text)
	if err != nil {
		return 0, err
	}
	v, _ := r.Float64()
	return v, nil
}
