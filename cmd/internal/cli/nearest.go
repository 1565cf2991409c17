package cli

import (
	"fmt"

	"github.com/agnivade/levenshtein"
)

// didYouMean is "; did you mean …?" for the nearest of the names, or "" when none is near: at most a third of the letters may differ, beyond
// that the guess is noise.
func didYouMean(name string, names []string) string {
	best, distance := "", len(name)/3+1
	for _, n := range names {
		if d := levenshtein.ComputeDistance(name, n); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}
