package cli

import (
	"fmt"
	"io"
	"sync"
)

// minProgress is the number of configurations from which a run may take longer than a person likes to look at nothing: about half a second.
const minProgress = 500

// progressSteps is how often the line changes during a run: every per cent.
const progressSteps = 100

// progress is a line on a terminal that says how far a run is. A nil progress says nothing.
type progress struct {
	mu          sync.Mutex
	w           io.Writer
	done, total int
}

// progress is for long runs on a terminal; nil otherwise, so that nothing of it comes into logs and pipes.
func (c *command) progress(total int) *progress {
	if !c.StderrTerminal || total < minProgress {
		return nil
	}
	return &progress{w: c.Stderr, total: total}
}

// tick counts one configuration.
func (p *progress) tick() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.done%max(p.total/progressSteps, 1) == 0 {
		fmt.Fprintf(p.w, "\rchecked %d of %d", p.done, p.total)
	}
}

// clear takes the line away.
func (p *progress) clear() {
	if p != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
