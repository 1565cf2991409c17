package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/advisor/defect"
	"github.com/flinkadvise/flinkadvise/advisor/render"
	"github.com/flinkadvise/flinkadvise/schema/version"
)

func (c *command) defects() *cobra.Command {
	var flink, output string
	var all bool
	cmd := &cobra.Command{
		Use:   "defects",
		Short: "List known Flink defects, of one release or of all",
		Long: `defects lists what is known to be broken in a Flink release: what happens, with which settings it is met, and which release mends it. Without
--flink-version it lists the defects of all releases.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var v version.Version
			if flink != "" {
				var err error
				if v, err = version.Parse(flink); err != nil {
					return fmt.Errorf("--flink-version: %w", err)
				}
			}
			list := selectDefects(v, all)
			switch output {
			case "text":
				return render.DefectsText(c.Stdout, list)
			case "markdown":
				return render.DefectsMarkdown(c.Stdout, list)
			case "json":
				e := json.NewEncoder(c.Stdout)
				e.SetEscapeHTML(false) // conditions compare with < and >
				return e.Encode(render.DefectsJSON(list))
			}
			return fmt.Errorf("--output: %q is not one of text, json, markdown", output)
		},
	}
	cmd.Flags().StringVar(&flink, "flink-version", "", "the Flink release, such as 1.20.3")
	cmd.Flags().BoolVar(&all, "all", false, "also those of the Kubernetes operator and the Kafka connector, and those that neither options nor facts can decide")
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or markdown")
	return cmd
}

// selectDefects gives the defects of a release, or of all releases for an unknown one. Without all, those are left out and counted of which only the owner
// of a job can know whether they are met.
func selectDefects(v version.Version, all bool) *render.Defects {
	out := &render.Defects{Flink: v}
	for _, d := range defect.All() {
		switch {
		case d.Product == defect.Flink && v.Known() && d.Affects(v) == defect.No, d.Product != defect.Flink && !all:
		case !all && !d.Decidable():
			out.Hidden++
		default:
			out.List = append(out.List, d)
		}
	}
	return out
}
