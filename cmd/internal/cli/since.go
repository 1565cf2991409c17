package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/advisor/suppress"
)

// revision gives a file as it was at a git revision; ok is false when it was not there. A revision that git does not know is an error.
func (c *command) revision(rev, file string) (data []byte, ok bool, err error) {
	if c.Git == nil {
		return nil, false, errors.New("there is no git here")
	}
	folder := filepath.Dir(file)
	if _, err := c.Git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}"); err != nil {
		return nil, false, fmt.Errorf("git knows no revision %q in %s", rev, folder)
	}
	data, err = c.Git(folder, "show", rev+":./"+filepath.Base(file))
	if err != nil {
		return nil, false, nil // not there at that revision
	}
	return data, true, nil
}

// dropOld suppresses the findings that the files had at --since already: as many as there were, by rule and option, whatever the lines.
func (c *command) dropOld(report *render.Report, inputs []input, f *checkFlags, s *settings.Settings, changed func(string) bool) error {
	var files []opened
	for _, in := range inputs {
		if in.file.arg == "-" {
			return errors.New("--since needs files, standard input has no history")
		}
		if !slices.ContainsFunc(files, func(o opened) bool { return o.arg == in.file.arg }) {
			files = append(files, in.file)
		}
	}
	var old []input
	for _, x := range files {
		data, ok, err := c.revision(f.since, x.arg)
		if err != nil {
			return fmt.Errorf("--since: %w", err)
		}
		if !ok || len(data) == 0 {
			continue
		}
		x.data = data
		list, err := c.open(x, &f.inputFlags, s)
		if err != nil {
			return err
		}
		old = append(old, list...)
	}
	before, _, err := c.judge(old, f, s, changed)
	if err != nil {
		return err
	}
	suppress.MakeBaseline(before.Findings, nil).Apply(report.Findings)
	for _, x := range report.Findings {
		if x.Suppressed != nil && x.Suppressed.Kind == "baseline" {
			x.Suppressed = &advisor.Suppression{Kind: "since", Reason: "was there at " + f.since}
		}
	}
	advisor.Rank(report.Findings)
	return nil
}
