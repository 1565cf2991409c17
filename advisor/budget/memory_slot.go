package budget

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/flinkadvise/flinkadvise/schema/quantity"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Sizes and cores that ResourceProfile.toString takes for "without limit" and leaves out (MAX_CPU_CORE_NUMBER_TO_LOG,
// MAX_MEMORY_SIZE_TO_LOG).
const (
	maxCoresToPrint  = 16384
	maxMemoryToPrint = 1024 * quantity.TiB
)

// Digits after the point that org.apache.flink.api.common.resources.Resource keeps; FLINK-22505 changed them in 1.14.
const (
	cpuDigitsBefore114 = 16
	cpuDigits          = 8
)

// perSlot divides the TaskManager among its slots.
func (d *taskManager) perSlot() PerSlot {
	t := d.out
	if t.Slots < 1 {
		return PerSlot{}
	}
	n := quantity.Bytes(t.Slots)
	p := PerSlot{
		TaskHeap: t.TaskHeap.Bytes / n, TaskOffHeap: t.TaskOffHeap.Bytes / n,
		Managed: t.Managed.Bytes / n, Network: t.Network.Bytes / n,
	}
	var printed string
	p.CPU, printed = cpuPerSlot(t.CPU, t.Slots, d.version)
	if !t.TaskHeap.Known || !t.TaskOffHeap.Known || !t.Managed.Known || !t.Network.Known || t.CPU <= 0 {
		return p
	}
	var parts []string
	if p.CPU <= maxCoresToPrint {
		parts = append(parts, "cpuCores="+printed)
	}
	for _, m := range []struct {
		name string
		size quantity.Bytes
	}{{"taskHeapMemory", p.TaskHeap}, {"taskOffHeapMemory", p.TaskOffHeap}, {"managedMemory", p.Managed}, {"networkMemory", p.Network}} {
		if m.size <= maxMemoryToPrint {
			parts = append(parts, m.name+"="+m.size.Human())
		}
	}
	p.Profile = fmt.Sprintf("ResourceProfile{%s}", strings.Join(parts, ", "))
	return p
}

// cpuPerSlot divides cores as Flink's Resource does, in decimal and rounded down, and prints the result as BigDecimal.toString does.
func cpuPerSlot(cores float64, slots int, v version.Version) (float64, string) {
	exact, ok := new(big.Rat).SetString(quantity.FormatDouble(cores))
	if !ok || exact.Sign() <= 0 {
		return 0, ""
	}
	digits := cpuDigits
	if v.Before(1, 14) {
		digits = cpuDigitsBefore114
	}
	unscaled := new(big.Int).Mul(exact.Num(), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	unscaled.Quo(unscaled, new(big.Int).Mul(exact.Denom(), big.NewInt(int64(slots))))
	text, scale := unscaled.String(), digits
	if v.AtLeast(1, 14) {
		for strings.HasSuffix(text, "0") && text != "0" {
			text, scale = text[:len(text)-1], scale-1
		}
		if text == "0" {
			scale = 0
		}
	}
	printed := decimal(text, scale)
	value, _ := strconv.ParseFloat(printed, 64)
	return value, printed
}

// decimal is java.math.BigDecimal.toString of an unsigned unscaled number with its scale.
func decimal(unscaled string, scale int) string {
	exponent := len(unscaled) - 1 - scale
	if scale >= 0 && exponent >= -6 {
		if scale == 0 {
			return unscaled
		}
		if pad := scale + 1 - len(unscaled); pad > 0 {
			unscaled = strings.Repeat("0", pad) + unscaled
		}
		return unscaled[:len(unscaled)-scale] + "." + unscaled[len(unscaled)-scale:]
	}
	mantissa := unscaled[:1]
	if len(unscaled) > 1 {
		mantissa += "." + unscaled[1:]
	}
	return fmt.Sprintf("%sE%+d", mantissa, exponent)
}
