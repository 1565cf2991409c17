package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/advisor/settings"
	"github.com/flinkadvise/flinkadvise/advisor/suppress"
	"github.com/flinkadvise/flinkadvise/schema/source"
)

// settingsFlags say which settings file counts.
type settingsFlags struct {
	config   string
	isolated bool
}

func (f *settingsFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.config, "config", "", "the settings file, instead of the nearest "+settings.FileName)
	cmd.Flags().BoolVar(&f.isolated, "isolated", false, "read no settings file")
}

// settings reads the settings file: the one that --config or FLINKADVISE_CONFIG names, or the nearest one from folder upwards to the root of the
// repository. No file gives empty settings.
func (c *command) settings(f settingsFlags, folder string) (*settings.Settings, error) {
	if f.isolated {
		if f.config != "" {
			return nil, errors.New("--isolated and --config exclude each other")
		}
		return &settings.Settings{}, nil
	}
	file := f.config
	if file == "" {
		file = c.Getenv("FLINKADVISE_CONFIG")
	}
	if file == "" {
		found, err := c.discover(folder)
		if err != nil || found == "" {
			return &settings.Settings{}, err
		}
		file = found
	}
	data, err := c.Files.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	return settings.Parse(source.NewFile(filepath.ToSlash(file), data), settings.Known{Rules: ruleIDs(), Thresholds: thresholdsOf})
}

// discover looks for the settings file from folder upwards; a folder with .git ends the search. It looks no further than that, and nowhere when there is no
// repository but in the folder itself: settings from outside a project would make a run depend on the machine.
func (c *command) discover(folder string) (string, error) {
	outermost := ""
	candidates := []string{}
	for dir := folder; ; {
		file := filepath.Join(dir, settings.FileName)
		switch _, err := c.Files.Stat(file); {
		case err == nil:
			candidates = append(candidates, file)
		case !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("settings: %w", err)
		}
		if _, err := c.Files.Stat(filepath.Join(dir, ".git")); err == nil {
			outermost = dir
			break
		}
		parent := parentOf(dir)
		if parent == dir || strings.Count(filepath.ToSlash(dir), "../") > maxParents {
			break
		}
		dir = parent
	}
	if len(candidates) == 0 {
		return "", nil
	}
	if outermost == "" && filepath.Dir(candidates[0]) != filepath.Clean(folder) {
		return "", nil
	}
	return candidates[0], nil
}

// maxParents ends the search upwards where a relative path cannot tell that it has reached the root.
const maxParents = 40

// parentOf is the folder above dir; relative paths go up by "..".
func parentOf(dir string) string {
	dir = filepath.Clean(dir)
	if filepath.IsAbs(dir) {
		return filepath.Dir(dir)
	}
	if dir == "." || dir == ".." || strings.HasPrefix(filepath.ToSlash(dir), "../") && filepath.Base(dir) == ".." {
		return filepath.Join("..", dir)
	}
	return filepath.Dir(dir)
}

func thresholdsOf(id string) []advisor.Threshold {
	for _, r := range everyRule() {
		if r.ID == id {
			return r.Thresholds
		}
	}
	return nil
}

func ruleIDs() []string {
	var ids []string
	for _, r := range everyRule() {
		ids = append(ids, r.ID)
	}
	return ids
}

// relativeTo is file as seen from the folder of the settings file, for globs.
func (c *command) relativeTo(s *settings.Settings, file string) string {
	if s.File == nil {
		return file
	}
	base, err := c.Files.Abs(path.Dir(s.File.Path))
	if err != nil {
		return file
	}
	abs, err := c.Files.Abs(file)
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(base, abs)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// suppressors are the comments and the settings, in that order.
func (c *command) suppressors(s *settings.Settings, rules []*advisor.Rule, inline bool) []advisor.Suppressor {
	policy := suppress.Policy{
		Today: c.Today,
		Known: func(name string) bool {
			return slices.ContainsFunc(everyRule(), func(r *advisor.Rule) bool { return names(name, r) })
		},
		Ran: func(id string) bool {
			return slices.ContainsFunc(rules, func(r *advisor.Rule) bool { return names(id, r) })
		},
		Locked: s.Locked,
	}
	out := []advisor.Suppressor{suppress.Settings(policy, s.Ignore)}
	if inline {
		out = append([]advisor.Suppressor{suppress.Comments(policy)}, out...)
	}
	return out
}
