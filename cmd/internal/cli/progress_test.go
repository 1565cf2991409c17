package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		total    int
		says     bool
	}{{true, minProgress, true}, {true, minProgress - 1, false}, {false, 10 * minProgress, false}} {
		var out bytes.Buffer
		p := (&command{Env: Env{Stderr: &out, StderrTerminal: c.terminal}}).progress(c.total)
		for range c.total {
			p.tick()
		}
		p.clear()
		if said := strings.Contains(out.String(), "checked 500 of 500"); said != c.says || !c.says && out.Len() > 0 {
			t.Errorf("terminal %v, %d configurations: %q", c.terminal, c.total, out.String())
		}
	}
}
