package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/schema/version"
)

// Version is the release of flinkadvise; the release build sets it.
var Version = "dev"

func toolVersion() string {
	if Version != "dev" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return Version
}

func (c *command) version() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the Flink versions that are known",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			from, to := version.Oldest().String(), version.Newest().String()
			switch output {
			case "text":
				fmt.Fprintf(c.Stdout, "flinkadvise %s, %s, knows Flink %s to %s\n", toolVersion(), runtime.Version(), from, to)
				return nil
			case "json":
				return json.NewEncoder(c.Stdout).Encode(struct {
					Version string   `json:"version"`
					Go      string   `json:"go"`
					Flink   []string `json:"flink"`
				}{toolVersion(), runtime.Version(), []string{from, to}})
			}
			return fmt.Errorf("--output: %q is not one of text, json", output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
