package defect

import (
	"fmt"
	"strings"
)

// Blocks reads data of this project's own form: blocks of lines "field: text" that begin with "id:" and end with a blank line; lines that begin with "#" are
// comments. It calls field for each line of a block, with begins for the first. A line between the blocks that is none of theirs goes to alone first, which
// tells whether it took it; alone may be nil. The first error ends the reading and comes with its line.
func Blocks(text string, alone func(line string) (taken bool, err error), field func(begins bool, name, value string) error) error {
	begins, n := true, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case strings.TrimSpace(line) == "":
			begins = true
			continue
		}
		if begins && alone != nil {
			switch taken, err := alone(line); {
			case err != nil:
				return fmt.Errorf("line %d: %w", n, err)
			case taken:
				continue
			}
		}
		name, value, ok := strings.Cut(line, ": ")
		if !ok || (name == "id") != begins {
			return fmt.Errorf("line %d: a block of \"field: text\" lines begins with id", n)
		}
		if err := field(begins, name, value); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		begins = false
	}
	return nil
}
